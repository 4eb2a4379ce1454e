/* make grade: a class's hand-ins become a grade book. In the order in which it happens:
 *
 *   grade.c     what was asked, and the order of the day
 *   csv.c       a table              -> its records, and where each cell stands
 *   list.c      STUDENTS=            -> those that are expected, whoever hands in
 *   find.c      the class's folder   -> students, and what is whose
 *   students.c  one student and another
 *   names.c     a name               -> whose, of which lesson, which of several
 *   handed.c    what one handed in   -> every file of it
 *   archive.c   an archive           -> its members
 *   code.c      a C text             -> what of it is code, and its functions
 *   choose.c    one student's files  -> the one that counts for each lesson
 *   sha256.c    a file               -> its checksum
 *   keep.c      OUT/kept/            -> what was graded before, and what is new
 *   cluster.c   the new ones         -> verdicts, by a job array of Slurm: SLURM=yes; and a part of
 *                                       them, on whatever machine
 *   pool.c      the new ones         -> verdicts, by the lessons' checkers, on all processors
 *   checker.c   a file               -> its report, by a checker that has made its cases
 *   taken.c     what is taken for whose   -> the screen, OUT/taken.txt
 *   points.c    a verdict            -> a status and a score, by the weights
 *   course.c    COURSE=              -> due dates and exceptions, and what they make of a score
 *   blind.c     BLIND=               -> pseudonyms, and their key
 *   speed.c     SPEED=               -> races, and the marks that were reached
 *   alike.c     the files            -> pairs that look alike
 *   gradebook.c all of it            -> grades.csv, grades.json
 *   feedback.c  one student's        -> feedback/NAME.txt and .html; with html.c
 *   report.c    all of it            -> report.html
 *   teach.c     one lesson's failures -> what of it to teach again, and the class before
 *
 *   returned.c  all of it            -> the table that STUDENTS= is, with the scores; an archive
 *   one.c       one hand-in, where classes are -> that place's form of a grade
 *
 * One submission is graded by itself: file in OUT/kept/files/, verdict in
 * OUT/kept/verdicts/. Any process of any machine that sees OUT and this checkout may do that, any
 * number at once, in any order: a verdict is written under another name and renamed. So a job array
 * does what grade_jobs() does with threads: `PART=3 PARTS=20 OUT=folder build/workbook grade-part`
 * grades every 20th line of OUT/kept/jobs from the third on, and `make grade` with the same
 * variables as before then finds the verdicts there, grades what is still missing, and writes the
 * book.
 *
 * The invariants: nothing that a student wrote or is called becomes part of a command, a path or
 * markup without being made harmless first; a machine's failure is never a score; what was graded
 * is on the disk before it is counted. */
#ifndef CLASS_H
#define CLASS_H

#include <sys/types.h>

#include "markup.h"
#include "whose.h"
#include "workbook.h"

/* ---- grade.c ---- */
enum { GRADED = 0, ASKED_WRONGLY = 2, NOT_ALL_GRADED = 3, STOPPED = 130 }; /* exit codes */

typedef struct {
    const char *class, *lessons, *weights, *students, *seed, *limit, *course, *blind;
    const char *only, *before; /* NULL: not given */
    char *out;
    bool all, lines, insists, slurm, speed; /* ALL=yes; not LINES=no; INSIST=, SLURM=, SPEED=yes */
} Asked;

typedef struct Class Class;
typedef struct Job Job;
bool is_protected(const Asked *asked); /* else said on stderr */
/* The steps of the day, which one.c takes as well. */
bool read_lessons(Class *class); /* those that are asked for. False: said on stderr */
int open_out(Class *class);      /* 0: OUT's folders are there, and the lock is held */
bool choose_seed(Class *class);
/* What is to be graded, or with `line` looked into; there is room for each entry. How many. */
int list_jobs(const Class *class, Job *jobs, bool line);
void settle(Class *class); /* all entries, by what is kept */
int grade_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- sha256.c ---- */
enum { SUM_SIZE = 65 }; /* in hexadecimal, with its '\0' */
typedef struct {
    uint32_t state[8];
    unsigned char block[64];
    uint64_t length;
} Sha256;
void sha256_begin(Sha256 *sum);
void sha256_add(Sha256 *sum, const void *data, size_t length);
void sha256_end(Sha256 *sum, char text[SUM_SIZE]);

/* ---- archive.c ---- */
typedef struct {
    const char *path, *data; /* data: of C files, headers and archives */
    size_t length;
    int64_t size; /* of all of it */
    time_t time;
    bool is_file, is_link;
} Member;
typedef struct {
    const void *data; /* the archive's bytes */
    size_t length;
    int64_t most, held; /* bytes that it may hold, and that it held; beyond, it is refused */
    bool contents;      /* members have data */
    void (*take)(void *to, const Member *member);
    void *to;
} Archive;
typedef enum { OPENED, REFUSED, NO_TOOL, NO_ROOM } Opened;
/* The bytes of one that is a file; False: `why`. */
bool archive_map(const char *path, Archive *archive, char *why, size_t size);
void archive_unmap(Archive *archive);
/* REFUSED: it is damaged, locked, or holds too much, `why` says which; the others are this
 * machine's doing. */
Opened archive_open(Archive *archive, char *why, size_t size);

/* One that is written. NULL: there is no library, or no room. */
typedef struct Zip Zip;
Zip *zip_begin(const char *path);
bool zip_add(Zip *zip, const char *name, const char *text, size_t length);
bool zip_end(Zip *zip, const char *path); /* only now it is there */

/* ---- names.c ----
 * Names; of which student one is, as far as it says that by itself, is box/whose.h. */
/* "Ada_12345_assignsubmission_file_", "lovelaceada_LATE_123_456_x.c", "ada_01_layer_norm.c" */
void whose(const char *entry, const Lessons *lessons, Whose *found);
/* Which lesson's, by its name; -1: none. `version`: 2 for "01_layer_norm-2.c", else 0. `before`:
 * how many bytes stand before the lesson's name. */
int lesson_of_file(const char *name, const Lessons *lessons, int *version, size_t *before);
/* The same for what is no C file, and was meant to be one: "01_layer_norm.docx". */
int lesson_meant(const char *name, const Lessons *lessons);
bool is_c_file(const char *name); /* "x.c.txt" as well */
bool is_header(const char *name);
bool is_archive(const char *name);
size_t archive_stem(const char *name); /* how long its name is without .zip, .tar.gz and the like */
const char *why_no_c_file(const char *name);
char *shown_name(const char *name); /* as UTF-8, bytes that are none as \xNN. Caller frees. */
/* A file's name that means nothing to any shell or system. Caller frees. */
char *harmless_name(const char *name);

/* ---- handed.c: what one student handed in ---- */
typedef struct {
    char *shown;  /* where it lay, from the class's folder on */
    char *folder; /* which of the student's; "" */
    char *name;   /* the student's own: what a course's system put before it is gone */
    char *path;   /* on the disk; NULL: it came in an archive, as `text` */
    char *text;
    size_t length;
    time_t time, arrived; /* arrived: of the archive that it came in, if it came in one */
    int lesson, version;  /* lesson: of all; -1: its name does not say */
    bool is_header;
    bool of_exercises, of_workbook; /* where it lies in a copy of the workbook */
    bool late;                      /* Canvas marks it so */
    const char *refused;            /* it counts, and is not accepted, because; or NULL */
    bool used;
    char *why;    /* it is not used, because; or NULL */
    bool beside;  /* and another is */
    bool aside;   /* nobody handed it in: a system made it */
    bool archive; /* that was refused, or that this machine failed to open */
    bool failed;
} HandIn;

typedef struct {
    HandIn *items;
    int count, room, others;
    int beyond; /* how many more came in than are looked at */
    int archives;
    int64_t unpacked; /* bytes that its archives held */
    double seconds;   /* of processors, that opening them took */
    size_t held;
} HandIns;

/* A file that arrives: `path` on the disk, or `text` out of an archive. */
typedef struct {
    const char *path, *text, *shown, *folder, *name;
    size_t length;
    time_t time, arrived;
    bool is_file, is_link, late;
    int nested; /* in how many archives */
} Came;

void hand_in(Class *class, HandIns *in, const Came *came);
void hand_in_below(Class *class, HandIns *in, const Came *came, const char *path); /* path: in it */
void hand_in_folder(Class *class, HandIns *in, const char *path, const char *shown);
void hand_in_free(HandIn *item);
bool is_of_the_system(const char *name); /* written by it beside the files that it shows */

/* ---- code.c ---- */
typedef struct {
    char name[NAME_SIZE];
    bool defined; /* with a body behind it */
} Named;
/* Up to `most` functions at the top of a C text. How many. */
int functions_in(const char *text, size_t length, Named *found, int most);
/* Without comments, what is in strings, the preprocessor's lines and what is below an "#if 0". How
 * many bytes that #if switched off. */
size_t code_alone(const char *text, size_t length, Buffer *out);

/* ---- find.c: who handed in what ---- */
typedef enum {
    GOT_ALL,    /* every check passed */
    GOT_PART,   /* some did not */
    NO_COMPILE, /* so none was run */
    IS_STUB,    /* as it was handed out */
    IS_MISSING,
    UNUSABLE,  /* something came in, and nothing of it is a C file that can be the lesson's */
    NOT_TAKEN, /* a link, binary, too large, a damaged archive */
    AT_LIMIT,  /* of time, memory, output */
    NOT_GRADED,
    STATUSES
} ClassStatus;

/* What is different for one student in one lesson. */
typedef struct {
    time_t due, handed; /* 0: as for all; the file's own */
    bool by_hand;
    double score;
    char *reason; /* of that score, or of an excuse; or NULL */
} Special;

/* The marks of a race: those of all that this machine could tell, of all that are asked for. */
typedef struct {
    int reached, told, asked; /* asked 0: nothing was raced */
    char *ended;              /* why it ended early; NULL or "": it did not */
} Speed;

typedef struct {
    char *path; /* as it is shown; NULL: there is none */
    time_t time;
    int others;             /* that were handed in for it as well, and are older */
    bool late;              /* Canvas marks it so */
    bool other_in_time;     /* one of those was not late, and this one is */
    char sum[SUM_SIZE];     /* of the file; "" */
    char key[SUM_SIZE];     /* of it and the headers beside it: OUT/kept/files/KEY/ */
    char verdict[SUM_SIZE]; /* "": none is to be had, and status and reason say why */
    ClassStatus status;
    char *reason;  /* of UNUSABLE, NOT_TAKEN and NOT_GRADED */
    Report report; /* where has_report */
    bool has_report;
    double score;   /* what counts in the end */
    double earned;  /* by the checks alone */
    char *adjusted; /* why these two differ; NULL: they don't */
    bool excused;   /* it is worth nothing, and counts for nothing */
    Special special;
    Speed speed;
} Entry;

typedef struct {
    char *name, *id; /* as they are shown: all names differ */
    char *list_id;   /* the number that the list has; NULL or "" */
    bool listed;     /* in STUDENTS= */
    int list_row;    /* which record of that table; 0: it is none */
    bool of_moodle;  /* the id is Moodle's */
    char *file;      /* of the feedback, without .txt */
    time_t handed;   /* by that table, which is about one assignment; 0 */
    HandIns in;
    Entry *entries; /* one for each of the class's lessons */
} Student;

typedef struct {
    const char *name; /* "01_layer_norm" */
    char checker[SUM_SIZE];
    Report blank; /* of the untouched stub: its title and checks */
    double points;
    double *weights; /* of each check */
} ClassLesson;

typedef struct {
    int a, b;    /* students */
    int percent; /* of a's material, as sim_c finds it, that is in b */
    int lines;   /* of a's lines, letter for letter */
} Pair;

/* What of the class looks alike in one lesson. */
typedef struct {
    Pair *pairs;
    int count, room;
    char *failed;    /* why nothing was compared but files that are the same; NULL */
    Buffer left_out; /* what of whose file was not compared, a line each */
} Alike;

typedef struct {
    time_t due[MAX_LESSONS];  /* of the class's lessons; 0: never */
    double grace, late, most; /* minutes; percent a day; percent in all */
    bool in_time;             /* of several files one that is not late counts */
} Course;

struct Class {
    const Asked *asked;
    Course course;
    struct cJSON *before; /* grades.json of another class; NULL */
    const Lessons *all_lessons;
    ClassLesson *lessons;
    int lesson_count;
    Student *students;
    int count, room;
    Buffer left_out; /* what in the folder is nobody's, a line each */
    char *kept;      /* OUT/kept */
    char seed[24];
    Alike alike[MAX_LESSONS];
    int only;     /* the one student who is graded anew; -1: whoever is new */
    bool no_tool; /* there was an archive, and nothing here opens one */
};

/* Fills in lessons, students, and what each handed in. An exit code; what is not GRADED is said on
 * stderr. */
int class_find(Class *class);
int class_choose(Class *class);    /* each one's file of each lesson is then in OUT/kept/files/ */
int lessons_prepare(Class *class); /* what there is to know of each, but its weights */

/* ---- choose.c ---- */
/* Fills in the student's entries, and why what is not used is not. False: said on stderr. */
bool choose_files(Class *class, Student *student);

/* ---- csv.c ---- */
enum { MOST_CELLS = 400 };
typedef struct {
    const char *text;
    char *copy, *at;
    char between;
    bool damaged; /* a quote is opened that nothing closes */
} Sheet;
typedef struct {
    char *cells[MOST_CELLS]; /* without quotes and blanks around; of the table */
    size_t first[MOST_CELLS], behind[MOST_CELLS]; /* where each stands in the text, with quotes */
    size_t begin, end;
    int count;
} Record;
void sheet_open(Sheet *table, const char *text);
bool sheet_next(Sheet *table, Record *record); /* false: there is none */
void sheet_close(Sheet *table);
char *trimmed(char *text); /* the text is changed */

/* ---- list.c ----
 * A name a line; or a table with a heading, as Canvas ("Student", "ID") and Moodle ("First name",
 * "Last name"; "Full name", "Identifier") export it. A hand-in is listed by the number in its name,
 * or else by the letters and digits of its name. */
bool students_read(Class *class);                           /* False: said on stderr */
int sheet_column(const Record *heading, const char *words); /* -1: there is none */
#define POINTS_POSSIBLE "Points Possible"                   /* a row of Canvas's */
int listed_student(const Class *class, const char *name, const char *id); /* -1: on no list */
int student_named(const Class *class, const char *words); /* or by number. -1: none, -2: several */

/* ---- students.c ---- */
int student_of(Class *class, const Whose *who); /* its number; a new one where there was none */
/* Two of one name are told apart by the number that they have, or get. */
void tell_apart(Class *class);
void make_entries(const Class *class, Student *student);     /* one for each lesson */
void *grown(void *items, int count, int *room, size_t size); /* with room for one more */

/* ---- keep.c ---- */
struct Job {
    char verdict[SUM_SIZE], key[SUM_SIZE], lesson[NAME_SIZE], seed[24], limit[24];
    bool all;
};
bool folder_there(const char *path); /* made, if it is not */
bool remove_tree(const char *path);
char *name_of_new(const char *path); /* under which it is written first. Caller frees. */
/* What processes that were killed had begun to write there. */
void remove_left_over(const char *folder);
/* As a whole or not at all: under another name, then renamed. False: errno. */
bool write_whole(const char *path, const char *text, size_t length);
bool write_synced(const char *path, const char *text, size_t length); /* and on the disk */
/* What all the verdicts of a lesson depend on but the submission. */
void checker_sum(const char *lesson, char sum[SUM_SIZE]);
/* With the student's headers that lie beside it. What is wrong with the file itself becomes its
 * entry's status. False: said on stderr. */
bool keep_file(const Class *class, const char *lesson, Entry *entry, const HandIn *file,
               HandIns *in);
void name_verdict(const Class *class, const ClassLesson *lesson, Entry *entry);
char *verdict_path(const char *kept, const char *verdict, bool line);
/* False: there is none that can be read. */
bool verdict_read(const char *kept, const char *verdict, Report *report);
char *failure_read(const char *kept, const char *verdict); /* why it could not be graded; NULL */
void forget_verdict(const char *kept, const char *verdict);

/* ---- taken.c ---- */
void say_students(FILE *out, const Class *class); /* and what is nobody's; the first ones only */
bool write_taken(const Class *class);             /* all of them. False: said on stderr */
/* An indented line in which names come from outside. */
void put_line(FILE *out, const char *first, const char *text);

/* ---- pool.c ---- */
/* Those of a part. Is there a verdict of each afterwards, or has one been there? */
bool grade_some(const char *kept, const Job *jobs, int count, bool line);
/* All that have no verdict yet, on all processors. False: it was stopped, said on stderr. */
bool grade_jobs(const char *kept, const Job *jobs, int count, bool line);
bool wants_line(const Report *report);
void stop_at_signals(void); /* from here on they are only remembered */
bool was_stopped_by_user(void);

/* ---- cluster.c ---- */
/* As grade_jobs(), of what has neither a verdict nor a reason why not. */
bool grade_by_slurm(const char *kept, const Job *jobs, int count);
int grade_part_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- checker.c ---- */
typedef struct {
    volatile pid_t *pid; /* 0: there is none */
    int files, reports;  /* to it, from it */
    FILE *said;          /* its stderr */
    Job of;              /* the lesson, seed and limit that it has cases for */
    bool line;
} Checker;

/* The file's report, by a checker that is started where the last one does not fit. NULL: there is
 * none, and why_none() is why. Callers free. */
char *report_of(Checker *checker, const char *kept, const Job *job, bool line);
char *why_none(Checker *checker);
void checker_end(Checker *checker);

/* ---- points.c: what a verdict is worth ----
 * A lesson is worth 100 points, shared by its checks in equal parts. A file of weights changes
 * that, a line each:
 *
 *     20 01                               the lesson is worth 20 points
 *     3  01 row_variance                  each check of that function counts three times
 *     0  01 layer_norm holds on rows far from zero    this one does not count
 *
 * False: said on stderr. */
bool weights_read(Class *class);
/* Reads the entry's verdict, if there is one, and fills in status, reason and score. */
void entry_settle(const Class *class, const ClassLesson *lesson, Entry *entry);
bool is_scored(const Entry *entry);                     /* or has it no score at all? */
const char *status_words(ClassStatus status);           /* "does not compile" */
double points_of(const ClassLesson *lesson, int check); /* of them, that check has */
/* Mistakes and the like that the entry's checks name, each once: calls `take` for each. */
void each_mistake(const Entry *entry,
                  void (*take)(void *to, const char *mistake, const CheckResult *result), void *to);

/* ---- course.c ----
 * A line each, in any order; what stands behind # is for people:
 *
 *     due 01 2026-05-04 23:59             when lesson 01 is due, by this machine's clock
 *     grace 15                            minutes that cost nothing
 *     late 10                             percent of what was earned, for each day begun
 *     most 50                             and no more percent than that
 *     count in-time                       of several files the newest that is not late, if there
 *                                         is one; without that the newest, late or not
 *     extend 01 2026-05-11 23:59 Ada      another date for one student, by name or number
 *     handed 01 2026-05-05 00:10 Ada      when it came, if neither a worksheet of Moodle's that is
 *                                         STUDENTS= tells, nor the file's own time
 *     excuse 02 Bob: ill                  it counts for nothing
 *     score 01 80 Ada: oral exam          set by hand, with the reason
 *
 * False: said on stderr, with the line's number. */
bool course_read(Class *class);
/* By all that the class's course knows, is what came then, and is marked so, late? */
bool is_late(const Class *class, const Student *student, int l, time_t came, bool marked);
/* From what the checks earned to what counts, and why. */
void course_apply(const Class *class, Student *student, int l);

/* ---- blind.c ---- */
/* From here on nobody has a name. False: said on stderr. */
bool blind(Class *class);

/* ---- speed.c ---- */
/* All who passed all checks of a lesson that has a race. False: it was stopped, or this machine
 * failed, which is said on stderr. */
bool race_class(const Class *class);
void speed_settle(const Class *class, int l, Entry *entry); /* by what is kept */
char *speed_words(const Entry *entry); /* "20 of 33 marks." NULL: nothing was raced. Caller frees */

/* ---- gradebook.c ----
 * Where a spreadsheet would take a student's name for a formula (= + - @ at its start, in their
 * full width too), grades.csv has a ' before it, and what a terminal would obey is \x1b there;
 * grades.json has the name itself. */
void csv_cell(Buffer *out, const char *text, char between, bool last);
void csv_write(const Class *class, Buffer *out);
/* {"version": 1, "seed": "7", "limit": "2", "all": false,
 *  "lessons": [{"lesson", "title", "points", "checks": [{"step", "name", "points"}]}],
 *  "students": [{"student", "id", "listed", "feedback", "lessons": [{"lesson", "status", "reason",
 *     "file", "older_files", "checksum", "passed", "failed", "not_reached", "total", "score",
 *     "mistakes": [...], "checks": ["passed", "failed", ...]}]}],
 *  "alike": [{"lesson", "a", "b", "percent", "lines"}],
 *  "alike_groups": [{"lesson", "students": [...]}], "not_compared": [{"lesson", "what"}]}
 * `listed` is null where there is no list. `score` and what was counted are null where the status
 * is "could not be graded"; `checksum` is null where no file was taken; `alike` is null where sim_c
 * is missing or failed. With COURSE= a student's lesson has "earned", "adjusted" (the reason, or
 * null) and "excused" as well; with SPEED=yes "speed", which is null where nothing was raced, or
 * {"reached", "told", "asked", "ended"}. */
void json_write(const Class *class, Buffer *out);

/* ---- returned.c ---- */
/* OUT/grades-canvas.csv or -moodle.csv, if STUDENTS= is such a table: it as it was, with a column
 * of each lesson filled in, or a new one behind. A column that is there is worth what it says
 * there. And OUT/feedback-moodle.zip, with names that Moodle takes back, if Moodle named any
 * hand-in. False: said on stderr. */
bool write_returned(const Class *class);
void by_student_write(const Class *class, Buffer *out); /* a row a student, a column a lesson */

/* ---- alike.c ----
 * Pairs that sim_c finds to be of the same material by 70 percent or more, and files that are the
 * same. Compared is a file's code, without the lines of the stub and of the lesson's page, and of
 * what repeats itself the beginning. A place to look at: what is short and right is soon alike.
 * (Honest styles of one author came to 65 percent.) -a, and not -e: 300 files take 0.04 s in place
 * of 10. */
void find_alike(Class *class);
/* group[i]: the first of the students that student i hangs together with by pairs; -1: none. */
void alike_groups(const Class *class, int l, int *group);

/* ---- html.c: pages that ask for nothing from outside themselves ---- */
void page_begin(Buffer *out, const char *title);
void page_end(Buffer *out);
void put_block(Buffer *out, const char *class, const char *text);
void put_bar(Buffer *out, const char *words, int count, int most);

/* ---- one.c ---- */
/* IMPL=, a folder, is one student's: its grade in FORMAT on stdout. OUT= is a folder to work in. 3:
 * it can't be graded here, stdout is empty, and stderr says why. */
int grade_one_command(const Lessons *lessons, const WorkbookOptions *options);

/* ---- feedback.c ---- */
/* feedback/NAME.txt and .html of every student: their own verdicts, and nobody else's; what was
 * written there before for who is no longer in the class goes away. False: said on stderr. */
bool write_feedback(const Class *class);

/* ---- report.c ---- */
void teachers_page(const Class *class, Buffer *out);

/* ---- teach.c ---- */
/* BEFORE=, a folder with another class's grades.json. False: said on stderr. */
bool before_read(Class *class);
/* Each check's difficulty, and how it goes with the others; the commonest mistakes, each with a
 * line of some student's; what to ask in the next lecture. */
void put_teaching(Buffer *out, const Class *class, int l);

#endif
