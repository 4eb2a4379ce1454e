/* In the worker: the compiler, the checker and the interpreter (checker/page/page.js, which is put in front
 * of this), asked by machine.js. A question is one message; what is printed comes back as it is, and the
 * code at the end. */
"use strict";

let workbook;

onmessage = ({ data }) => {
    if (data.module) {
        workbook = openWorkbook(data.module, (text, isError) => postMessage({ text, isError }));
    } else if (data.files) {
        workbook.add(data.files);
    } else {
        try {
            postMessage({ code: workbook[data.what](...data.words) });
        } catch (error) {
            postMessage({ failed: String(error) });
        }
    }
};
