/* What the checks of lesson 06 call: calls.c, which calls the learner's functions in turn. An int
 * that is returned is what the learner's function of that step returned. */

/* ---- init, of a struct that holds garbage ---- */
/* What it says of itself. saved: how many of xhat and rstd are not NULL. */
int init_fields(float *m_features, /* 1 */
                float *m_eps,      /* 1 */
                float *m_rows,     /* 1 */
                float *saved,      /* 1 */
                const int *shape,  /* dims */
                int dims, float eps, int bias);
/* bias_arrays: how many of beta and dbeta are not NULL. */
int init_parameters(float *gamma,       /* features */
                    float *dgamma,      /* features */
                    float *beta,        /* features, or NULL */
                    float *dbeta,       /* features, or NULL */
                    float *bias_arrays, /* 1 */
                    const int *shape,   /* dims */
                    int dims, int features, int bias);
/* Of a shape that is none. fields_left: of each field of the struct whether it is
 * neither 0 nor NULL. */
int init_refused(float *fields_left, /* 9 */
                 const int *shape,   /* numbers */
                 int numbers, int dims, int bias);
/* While one of its allocations fails, each in turn. */
int init_without_memory(float *fields_left, /* 9 */
                        const int *shape,   /* dims */
                        int dims, int bias);

/* ---- free, twice; blocks_held: of memory ---- */
void free_new(float *blocks_held, /* 1 */
              float *fields_left, /* 9 */
              const int *shape,   /* dims */
              int dims, int bias);

/* ---- forward ---- */
int forward(float *y,           /* rows x features */
            float *xhat,        /* rows x features */
            float *rstd,        /* rows */
            float *m_rows,      /* 1 */
            const float *x,     /* rows x features */
            const float *gamma, /* features */
            const float *beta,  /* features, or NULL */
            int rows, int features, float eps);
/* The shape is height x width. */
int forward_shape(float *y,                 /* rows x height x width */
                  const float *images,      /* rows x height x width */
                  const float *gamma_image, /* height x width */
                  const float *beta_image,  /* height x width, or NULL */
                  int rows, int height, int width, float eps);
/* Three in turn; y, xhat and rstd are of the last. dgamma is in the struct before the first. */
int forward_turns(float *y,            /* rows_3 x features */
                  float *xhat,         /* rows_3 x features */
                  float *rstd,         /* rows_3 */
                  float *dgamma_after, /* features */
                  const float *x_1,    /* rows_1 x features */
                  const float *x_2,    /* rows_2 x features */
                  const float *x_3,    /* rows_3 x features */
                  const float *gamma,  /* features */
                  const float *beta,   /* features, or NULL */
                  const float *dgamma, /* features */
                  int rows_1, int rows_2, int rows_3, int features, float eps);
/* One of x, and then one of bad_rows rows, which must change nothing. */
int forward_refused(float *y,            /* rows x features */
                    float *xhat,         /* rows x features */
                    float *rstd,         /* rows */
                    float *m_rows,       /* 1 */
                    const float *x,      /* rows x features */
                    const float *second, /* rows x features */
                    const float *gamma,  /* features */
                    const float *beta,   /* features, or NULL */
                    int rows, int bad_rows, int features, float eps);
/* One of x, and then some of `later` while one allocation fails, each in turn. saved: as above. */
int forward_without_memory(float *y,           /* rows x features */
                           float *xhat,        /* rows x features */
                           float *rstd,        /* rows */
                           float *m_rows,      /* 1 */
                           float *saved,       /* 1 */
                           const float *x,     /* rows x features */
                           const float *later, /* later_rows x features */
                           const float *gamma, /* features */
                           const float *beta,  /* features, or NULL */
                           int rows, int later_rows, int features, float eps);

/* ---- backward, when x is gone ---- */
void backward(float *dx,          /* rows x features */
              float *dgamma,      /* features */
              float *dbeta,       /* features, or NULL */
              const float *dy,    /* rows x features */
              const float *x,     /* rows x features */
              const float *gamma, /* features */
              const float *beta,  /* features, or NULL */
              int rows, int features, float eps);
/* forward, backward; then forward, backward and backward again, with other numbers. */
void backward_again(float *dx,          /* rows_2 x features */
                    float *dgamma,      /* features */
                    float *dbeta,       /* features, or NULL */
                    const float *dy_1,  /* rows_1 x features */
                    const float *x_1,   /* rows_1 x features */
                    const float *dy_2,  /* rows_2 x features */
                    const float *x_2,   /* rows_2 x features */
                    const float *gamma, /* features */
                    const float *beta,  /* features, or NULL */
                    int rows_1, int rows_2, int features, float eps);
/* Two structs at a time: both are made, then both go forward, then both go back. */
void backward_of_two(float *dx_a,       /* rows_a x features_a */
                     float *dgamma_a,   /* features_a */
                     float *dx_b,       /* rows_b x features_b */
                     float *dgamma_b,   /* features_b */
                     const float *dy_a, /* rows_a x features_a */
                     const float *x_a,  /* rows_a x features_a */
                     const float *dy_b, /* rows_b x features_b */
                     const float *x_b,  /* rows_b x features_b */
                     int rows_a, int features_a, int rows_b, int features_b, float eps);

/* ---- zero_grad between two backwards ---- */
void zero_grad(float *dgamma_zeroed,   /* features */
               float *dbeta_zeroed,    /* features, or NULL */
               float *dgamma,          /* features */
               float *dbeta,           /* features, or NULL */
               const float *dy_before, /* rows x features */
               const float *dy,        /* rows x features */
               const float *x,         /* rows x features */
               const float *gamma,     /* features */
               const float *beta,      /* features, or NULL */
               int rows, int features, float eps);

/* ---- step ---- */
void step(float *gamma_after,  /* features */
          float *beta_after,   /* features, or NULL */
          float *dgamma_after, /* features */
          float *dbeta_after,  /* features, or NULL */
          const float *gamma,  /* features */
          const float *beta,   /* features, or NULL */
          const float *dgamma, /* features */
          const float *dbeta,  /* features, or NULL */
          int features, float rate);
/* Training, of a shape of height x width, by the loss sum((y - target)^2) / 2, so dy is y - target.
 * y: of the last forward. */
void train(float *y,                 /* rows x height x width */
           float *gamma_after,       /* height x width */
           float *beta_after,        /* height x width, or NULL */
           const float *batches,     /* steps x rows x height x width */
           const float *targets,     /* steps x rows x height x width */
           const float *gamma_image, /* height x width */
           const float *beta_image,  /* height x width, or NULL */
           int steps, int rows, int height, int width, float eps, float rate);

/* ---- whole lives, with a forward in each that fails; blocks_grown: in the middle of them ---- */
void lives(float *blocks_held,  /* 1 */
           float *blocks_grown, /* 1 */
           float *fields_left,  /* 9 */
           const float *x,      /* rows x features */
           int rows, int features, int bias, int rounds);
