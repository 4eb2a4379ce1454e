/* How the page is used, if the browser may remember it: where the editor stood, whether it checks by itself. */
export const remembered = {
    get(name) {
        try {
            return localStorage.getItem(`workbook.${name}`);
        } catch {
            return null;
        }
    },
    set(name, value) {
        try {
            localStorage.setItem(`workbook.${name}`, value);
        } catch { /* then not */ }
    },
};
