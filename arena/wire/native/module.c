/* The codec in C: the module `arena.wire._native`.
 *
 * It writes the same bytes and reads the same values as the classes of `message.py`, from whose
 * descriptions `compiled.py` builds its objects.
 */

#include "wire.h"

/* Increase it here and in compiled.py whenever one of them no longer fits older ones. */
enum { INTERFACE = 5 };

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "arena.wire._native",
    .m_doc = "The codec in C.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *errors = PyImport_ImportModule("arena.wire.fields");
    if (errors == NULL)
        return NULL;
    Malformed = PyObject_GetAttrString(errors, "Malformed");
    Py_DECREF(errors);
    PyObject *self = Malformed == NULL ? NULL : PyModule_Create(&module);
    if (self == NULL)
        return NULL;
    if (PyModule_AddIntMacro(self, INTERFACE) < 0 || PyModule_AddType(self, &MessageType) < 0)
        Py_CLEAR(self);
    return self;
}
