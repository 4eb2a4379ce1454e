/* contract.c: a lesson's header. What is understood has functions whose shapes name int parameters;
 * what is not is refused with file and line. */
#include "run.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Contract contract;
    char error[512] = "";
    const char *path = as_file(data, size);
    if (!contract_read(&contract, path, error, sizeof error)) {
        require(!strncmp(error, path, strlen(path)) && error[strlen(path)] == ':');
        return 0;
    }
    require(contract.count > 0 && contract.count <= MAX_FUNCTIONS);
    for (int f = 0; f < contract.count; f++) {
        const Function *function = &contract.functions[f];
        require(function->count <= MAX_PARAMS && contract_find(&contract, function->name));
        for (int p = 0; p < function->count; p++)
            require(param_index(function, function->params[p].name) >= 0);
    }
    return 0;
}
