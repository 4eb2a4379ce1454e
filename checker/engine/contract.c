/* Reads a lesson's header: the one description of its functions, for people and for the checker.
 *
 * It understands what such a header needs (comments, #lines, declarations of functions over float
 * and int) and refuses anything else with the file and line, so that a typing error in a new
 * lesson's header is found when the header is read and not when a number is wrong. */
#include "engine.h"

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

/* A comment's words, with every run of white space and stars made one space. */
static const char *keep_comment(Reader *in, const char *text)
{
    size_t used = 0;
    const char *end = strstr(text, "*/");
    if (!end)
        end = text + strlen(text);
    for (const char *p = text; p < end; p++) {
        bool blank = isspace((unsigned char)*p) || *p == '*';
        in->line += *p == '\n';
        if (used + 1 < sizeof in->comment && !(blank && (!used || in->comment[used - 1] == ' ')))
            in->comment[used++] = blank ? ' ' : *p;
    }
    while (used && in->comment[used - 1] == ' ')
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

/* "rows x features, read and written" */
static bool read_shape(Reader *in, Param *param)
{
    char text[sizeof in->comment], *save = NULL;
    strcpy(text, in->comment);
    char *comma = strchr(text, ',');
    if (comma) {
        *comma = '\0';
        if (strcmp(comma + 1, " read and written") || param->role != OUTPUT)
            return fail(in, "after the shape of %s, expected \"read and written\" or nothing",
                        param->name);
        param->role = IN_OUT;
    }
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        if (!strcmp(word, "x"))
            continue;
        if (param->dim_count == MAX_DIMS)
            return fail(in, "%s has more than %d dimensions", param->name, MAX_DIMS);
        snprintf(param->dims[param->dim_count++], NAME_SIZE, "%s", word);
    }
    if (!param->dim_count)
        return fail(in,
                    "expected the shape of %s in a comment behind it, as in /* rows x features */",
                    param->name);
    return true;
}

static bool check_shapes(Reader *in, const Function *function)
{
    for (int p = 0; p < function->count; p++)
        for (int d = 0; d < function->params[p].dim_count; d++) {
            int size = param_index(function, function->params[p].dims[d]);
            if (size < 0 || function->params[size].role != SIZE)
                return fail(in, "the shape of %s names \"%s\", which is no int parameter of %s",
                            function->params[p].name, function->params[p].dims[d], function->name);
        }
    return true;
}

static bool read_param(Reader *in, Function *function, char token[NAME_SIZE])
{
    if (function->count >= MAX_PARAMS - 1)
        return fail(in, "%s has more than %d parameters", function->name, MAX_PARAMS - 1);
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
    if (!strcmp(token, "*") && param->role == SCALAR) {
        param->role = is_const ? INPUT : OUTPUT;
        next_token(in, token);
    }
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
    function->returns_float = !strcmp(token, "float");
    if (!function->returns_float && strcmp(token, "void"))
        return fail(in, "expected a function that returns void or float, found \"%s\"", token);
    next_token(in, function->name);
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
    if (function->returns_float)
        function->params[function->count++] = (Param){.name = "return", .role = RETURNED};
    return check_shapes(in, function) && check_scalars(in, function);
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

const Function *contract_find(const Contract *contract, const char *function)
{
    for (int i = 0; i < contract->count; i++)
        if (!strcmp(contract->functions[i].name, function))
            return &contract->functions[i];
    return NULL;
}

int param_index(const Function *function, const char *name)
{
    for (int i = 0; i < function->count; i++) { /* oracles look up names all the time */
        const char *known = function->params[i].name;
        if (known[0] == name[0] && !strcmp(known, name))
            return i;
    }
    return -1;
}
