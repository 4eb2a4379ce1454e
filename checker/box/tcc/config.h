/* What TCC's own configure would write. It never opens a file, so it needs no folders. */
#define TCC_VERSION "0.9.27"
#define CONFIG_TCCDIR "."
