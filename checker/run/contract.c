/* Reads a lesson's header: the one description of its functions, for people and for the checker.
 *
 * It understands what such a header needs (comments, #lines, declarations of functions over float
 * and int) and refuses anything else with the file and line and what it expected, so that a typing
 * error in a new lesson's header is found when the header is read and not when a number is wrong.
 */
#include "run.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path, *at;
    int line;
    char comment[256]; /* the last one passed over, "" since the last token */
    char *error;
    size_t error_size;
} Reader;

static bool fail(Reader *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(Reader *in, const char *format, ...)
{
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(in->error, in->error_size, "%s:%d: %s", in->path, in->line, what);
    return false;
}

/* A comment's words, with every run of white space and of stars that begin a line made one space.
 */
static const char *keep_comment(Reader *in, const char *text)
{
    size_t used = 0;
    const char *end = strstr(text, "*/");
    bool begins = true;
    if (!end)
        end = text + strlen(text);
    for (const char *p = text; p < end; p++) {
        bool blank = isspace((unsigned char)*p) || (*p == '*' && begins);
        in->line += *p == '\n';
        begins = *p == '\n' || (begins && blank);
        if (used + 1 < sizeof in->comment && !(blank && (!used || in->comment[used - 1] == ' ')))
            in->comment[used++] = blank ? ' ' : *p;
    }
    while (used && strchr(" *", in->comment[used - 1]))
        used--;
    in->comment[used] = '\0';
    return *end ? end + 2 : end;
}

static void skip_blank(Reader *in)
{
    for (;;) {
        if (*in->at == '#') /* a preprocessor line; the guard is all that a header needs of them */
            in->at += strcspn(in->at, "\n");
        else if (in->at[0] == '/' && in->at[1] == '*')
            in->at = keep_comment(in, in->at + 2);
        else if (in->at[0] == '/' && in->at[1] == '/')
            in->at += strcspn(in->at, "\n");
        else if (isspace((unsigned char)*in->at))
            in->line += *in->at++ == '\n';
        else
            return;
    }
}

/* The next word or sign; "" at the end. The comments in front of it are in in->comment. */
static void next_token(Reader *in, char token[NAME_SIZE])
{
    size_t length = 0;
    in->comment[0] = '\0';
    skip_blank(in);
    if (isalpha((unsigned char)*in->at) || *in->at == '_')
        while (isalnum((unsigned char)in->at[length]) || in->at[length] == '_')
            length++;
    else if (*in->at)
        length = 1;
    size_t kept = length < NAME_SIZE ? length : NAME_SIZE - 1;
    memcpy(token, in->at, kept);
    token[kept] = '\0';
    in->at += length;
}

/* What may stand behind the shape: ", read and written", ", or NULL". */
static bool read_remarks(Reader *in, Param *param, char *text)
{
    char *save = NULL;
    for (char *p = strtok_r(text, ",", &save); p; p = strtok_r(NULL, ",", &save)) {
        p += strspn(p, " ");
        if (!strcmp(p, "read and written") && param->role == OUTPUT)
            param->role = IN_OUT;
        else if (!strcmp(p, "or NULL"))
            param->may_be_null = true;
        else
            return fail(in,
                        "after the shape of %s, expected \"or NULL\"%s, or nothing, found \"%s\"",
                        param->name, is_given(param->role) ? "" : " or \"read and written\"", p);
    }
    return true;
}

static bool add_dim(Reader *in, Param *param, const char *text)
{
    if (!text[0])
        return fail(in,
                    "expected the shape of %s in a comment behind it, as in /* rows x features */",
                    param->name);
    if (param->dim_count == MAX_DIMS)
        return fail(in, "%s has more than %d dimensions", param->name, MAX_DIMS);
    if (strlen(text) >= NAME_SIZE)
        return fail(in, "a dimension of %s is longer than %d characters", param->name,
                    NAME_SIZE - 1);
    memcpy(param->dims[param->dim_count++].text, text, strlen(text) + 1);
    return true;
}

/* "4 * hidden x inputs, or NULL" */
static bool read_shape(Reader *in, Param *param)
{
    char text[sizeof in->comment], dim[sizeof in->comment] = "", *save = NULL;
    strcpy(text, in->comment);
    size_t shape = strcspn(text, ",");
    if (text[shape] && !read_remarks(in, param, text + shape + 1))
        return false;
    text[shape] = '\0';
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        size_t used = strlen(dim);
        if (strcmp(word, "x"))
            snprintf(dim + used, sizeof dim - used, "%s%s", used ? " " : "", word);
        else if (!add_dim(in, param, dim))
            return false;
        else
            dim[0] = '\0';
    }
    return add_dim(in, param, dim);
}

/* A number or the name of an int parameter; `at` moves behind it. */
static bool read_factor(Reader *in, const Function *function, const Param *param, const char **at,
                        Term *term)
{
    char name[NAME_SIZE];
    size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    snprintf(name, sizeof name, "%.*s", (int)length, *at);
    *at += length;
    long number = isdigit((unsigned char)name[0]) ? strtol(name, NULL, 10) * term->number : 0;
    if (number > 0 && number <= 1000000 && length == strspn(name, "0123456789")) {
        term->number = (int)number;
        return true;
    }
    int size = param_index(function, name);
    if (!length || isdigit((unsigned char)name[0]))
        return fail(in, "the shape of %s: expected a number or an int parameter, found \"%s\"",
                    param->name, length ? name : *at);
    if (size < 0 || function->params[size].role != SIZE)
        return fail(in, "the shape of %s names \"%s\", which is no int parameter of %s",
                    param->name, name, function->name);
    if (term->size_count == MAX_FACTORS)
        return fail(in, "the shape of %s multiplies more than %d names", param->name, MAX_FACTORS);
    term->sizes[term->size_count++] = size;
    return true;
}

/* "4 * hidden + 1", once all the parameters are known. */
static bool read_dim(Reader *in, const Function *function, const Param *param, Dim *dim)
{
    const char *at = dim->text;
    for (char sign = '+'; sign; at += strspn(at, " ")) {
        if (sign == '+' && dim->term_count == MAX_TERMS)
            return fail(in, "the shape of %s adds more than %d terms", param->name, MAX_TERMS);
        if (sign == '+')
            dim->terms[dim->term_count++].number = 1;
        if (!read_factor(in, function, param, &at, &dim->terms[dim->term_count - 1]))
            return false;
        at += strspn(at, " ");
        sign = *at;
        if (sign && sign != '*' && sign != '+')
            return fail(in, "the shape of %s: expected *, + or x, found \"%s\"", param->name, at);
        at += sign != '\0';
    }
    return true;
}

static bool read_dims(Reader *in, Function *function)
{
    for (int p = 0; p < function->count; p++)
        for (int d = 0; d < function->params[p].dim_count; d++)
            if (!read_dim(in, function, &function->params[p], &function->params[p].dims[d]))
                return false;
    return true;
}

static bool read_param(Reader *in, Function *function, char token[NAME_SIZE])
{
    if (function->count == CALL_PARAMS)
        return fail(in, "%s has more than %d parameters", function->name, CALL_PARAMS);
    Param *param = &function->params[function->count++];
    *param = (Param){.role = SCALAR};
    bool is_const = !strcmp(token, "const");
    if (is_const)
        next_token(in, token);
    if (!strcmp(token, "int"))
        param->role = SIZE;
    else if (strcmp(token, "float"))
        return fail(in, "expected float or int, found \"%s\"", token);
    next_token(in, token);
    if (!strcmp(token, "*")) {
        param->is_int = param->role == SIZE;
        param->role = is_const ? INPUT : OUTPUT;
        next_token(in, token);
    }
    if (param->is_int && !is_const)
        return fail(in, "expected const in front of int *%s: an array of ints is an input", token);
    if (!isalpha((unsigned char)token[0]))
        return fail(in, "expected a parameter's name, found \"%s\"", token);
    strcpy(param->name, token);
    next_token(in, token); /* "," or ")" */
    char sign = token[0];
    if (sign != ',' && sign != ')')
        return fail(in, "expected \",\" or \")\" after %s, found \"%s\"", param->name, token);
    if (sign == ',') { /* the shape stands behind the comma: look on, and the next token stays */
        next_token(in, token);
    }
    if (is_array(param->role) && !read_shape(in, param))
        return false;
    return true;
}

/* worker.c passes no more floats than a call has registers for. */
static bool check_scalars(Reader *in, const Function *function)
{
    int scalars = 0;
    for (int p = 0; p < function->count; p++)
        scalars += function->params[p].role == SCALAR;
    return scalars <= MAX_SCALARS ||
           fail(in, "%s has more than %d float parameters", function->name, MAX_SCALARS);
}

static bool read_function(Reader *in, Contract *contract, char token[NAME_SIZE])
{
    if (contract->count == MAX_FUNCTIONS)
        return fail(in, "more than %d functions", MAX_FUNCTIONS);
    Function *function = &contract->functions[contract->count++];
    memset(function, 0, sizeof *function);
    bool is_int = !strcmp(token, "int");
    function->returns = is_int || !strcmp(token, "float");
    if (!function->returns && strcmp(token, "void"))
        return fail(in, "expected a function that returns void, float or int, found \"%s\"", token);
    next_token(in, function->name);
    strcpy(function->symbol, function->name);
    next_token(in, token);
    if (strcmp(token, "("))
        return fail(in, "expected \"(\" after %s", function->name);
    next_token(in, token);
    while (strcmp(token, ")") && token[0])
        if (!read_param(in, function, token))
            return false;
    next_token(in, token);
    if (strcmp(token, ";"))
        return fail(in, "expected \";\" after the declaration of %s", function->name);
    if (function->returns)
        function->params[function->count++] =
            (Param){.name = "return", .role = RETURNED, .is_int = is_int};
    return read_dims(in, function) && check_scalars(in, function);
}

bool contract_read(Contract *contract, const char *path, char *error, size_t error_size)
{
    memset(contract, 0, sizeof *contract);
    char *text = read_file(path, NULL);
    Reader in = {.path = path, .at = text, .line = 1, .error = error, .error_size = error_size};
    if (!text)
        return fail(&in, "can't be read");
    char token[NAME_SIZE];
    bool good = true;
    for (next_token(&in, token); good && token[0]; next_token(&in, token))
        good = read_function(&in, contract, token);
    if (good && !contract->count)
        good = fail(&in, "declares no function");
    free(text);
    return good;
}

/* A name outside of all brackets, with one behind it. */
void contract_names(Contract *contract, const char *path)
{
    memset(contract, 0, sizeof *contract);
    char *text = read_file(path, NULL), error[1], token[NAME_SIZE], before[NAME_SIZE] = "";
    Reader in = {.path = path, .at = text, .line = 1, .error = error, .error_size = sizeof error};
    int depth = 0;
    for (next_token(&in, token); text && token[0]; next_token(&in, token)) {
        bool opens = strchr("({", token[0]), closes = strchr(")}", token[0]);
        if (!depth && token[0] == '(' && contract->count < MAX_FUNCTIONS)
            strcpy(contract->functions[contract->count++].name, before);
        depth += opens - closes;
        strcpy(before, token);
    }
    free(text);
}

const Function *contract_find(const Contract *contract, const char *function)
{
    for (int i = 0; i < contract->count; i++)
        if (!strcmp(contract->functions[i].name, function))
            return &contract->functions[i];
    return NULL;
}

/* Oracles look up names all the time: one and the same text stands at the same place most often. */
int param_index(const Function *function, const char *name)
{
    enum { PLACES = 256 };
    static unsigned char places[PLACES];
    unsigned char *place = &places[(uintptr_t)name / 2 % PLACES];
    if (*place < function->count && !strcmp(function->params[*place].name, name))
        return *place;
    for (int i = 0; i < function->count; i++)
        if (!strcmp(function->params[i].name, name)) {
            *place = (unsigned char)i;
            return i;
        }
    return -1;
}
