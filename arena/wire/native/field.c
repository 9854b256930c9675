/* The description of a field. */

#include "wire.h"

/* The names that Python uses. */
static const char *const NAMES[KINDS] = {
    "uint", "sint", "flag", "enum", "uints", "sints", "word", "words", "double", "text", "raw",
    "raws", "nested", "optional", "repeated", "counts", "ignored",
};

int is_repeated(const Field *field)
{
    return field->kind == RAWS || field->kind == REPEATED;
}

static int kind_named(const char *name)
{
    for (int kind = 0; kind < KINDS; kind++)
        if (strcmp(NAMES[kind], name) == 0)
            return kind;
    PyErr_Format(PyExc_ValueError, "unknown kind of field: %s", name);
    return -1;
}

static int field_shifts(Field *field, PyObject *shifts, uint64_t mask)
{
    Py_ssize_t count = PyTuple_GET_SIZE(shifts);
    for (Py_ssize_t at = 0; at < count; at++) {
        unsigned long shift = PyLong_AsUnsignedLong(PyTuple_GET_ITEM(shifts, at));
        if (shift == (unsigned long)-1 && PyErr_Occurred())
            return -1;
        if (at == MOST_FIELDS || shift > 57 || mask >> (63 - shift)) {
            PyErr_SetString(PyExc_ValueError, "the counts do not fit into an integer");
            return -1;
        }
        field->shifts[at] = (uint8_t)shift;
    }
    field->shift_count = (int)count;
    field->mask = mask;
    return 0;
}

int field_init(Field *field, PyObject *description)
{
    const char *name;
    PyObject *message, *shifts;
    unsigned long long tag, mask;
    if (!PyTuple_Check(description)) {
        PyErr_SetString(PyExc_TypeError, "a field is described by a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(description, "KsOOO!O!K", &tag, &name, &field->initial, &message,
            &PyTuple_Type, &field->members, &PyTuple_Type, &shifts, &mask)) {
        field->initial = field->members = NULL;
        return -1;
    }
    Py_INCREF(field->initial);
    Py_INCREF(field->members);
    field->tag = tag;
    field->kind = kind_named(name);
    if (field->kind < 0)
        return -1;
    if ((tag & 7) > DELIMITED) {
        PyErr_SetString(PyExc_ValueError, "no field has this wire type");
        return -1;
    }
    if (field->kind == NESTED || field->kind == OPTIONAL || field->kind == REPEATED) {
        if (!PyObject_TypeCheck(message, &MessageType)) {
            PyErr_Format(PyExc_TypeError, "a field of kind %s needs a message", name);
            return -1;
        }
        field->message = (Message *)Py_NewRef(message);
    }
    return field_shifts(field, shifts, mask);
}

void field_clear(Field *field)
{
    Py_CLEAR(field->initial);
    Py_CLEAR(field->message);
    Py_CLEAR(field->members);
}
