/* Write a field with its tag. */

#include "wire.h"

static int number_of(PyObject *value, int is_signed, uint64_t *number)
{
    if (is_signed) {
        long long found = PyLong_AsLongLong(value);
        if (found == -1 && PyErr_Occurred())
            return -1;
        *number = (uint64_t)found << 1 ^ (found < 0 ? UINT64_MAX : 0);
        return 0;
    }
    unsigned long long found = PyLong_AsUnsignedLongLong(value);
    if (found == (unsigned long long)-1 && PyErr_Occurred())
        return -1;
    *number = found;
    return 0;
}

/* Write a number, unless it is 0: proto3 leaves it out. */
static int put_number(Writer *writer, Field *field, PyObject *value)
{
    uint64_t number;
    if (number_of(value, field->kind == SINT, &number) < 0)
        return -1;
    if (number == 0)
        return 0;
    if (put_varint(writer, field->tag) < 0)
        return -1;
    return field->kind == WORD ? put_word(writer, number) : put_varint(writer, number);
}

static int put_numbers(Writer *writer, Field *field, PyObject *values)
{
    size_t start;
    if (PyTuple_GET_SIZE(values) == 0)
        return 0;
    if (open_delimited(writer, field->tag, &start) < 0)
        return -1;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(values); at++) {
        uint64_t number;
        if (number_of(PyTuple_GET_ITEM(values, at), field->kind == SINTS, &number) < 0)
            return -1;
        if ((field->kind == WORDS ? put_word(writer, number) : put_varint(writer, number)) < 0)
            return -1;
    }
    return close_delimited(writer, start);
}

static int put_member(Writer *writer, Field *field, PyObject *value)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(field->members); at++)
        if (PyTuple_GET_ITEM(field->members, at) == value)
            return put_varint(writer, field->tag) < 0 ? -1 : put_varint(writer, (uint64_t)at + 1);
    PyErr_SetObject(PyExc_KeyError, value);
    return -1;
}

static int put_double(Writer *writer, Field *field, PyObject *value)
{
    double number = PyFloat_AsDouble(value);
    uint64_t bits;
    if (number == -1.0 && PyErr_Occurred())
        return -1;
    if (number == 0.0)
        return 0;
    memcpy(&bits, &number, 8);
    return put_varint(writer, field->tag) < 0 ? -1 : put_word(writer, bits);
}

static int put_text(Writer *writer, Field *field, PyObject *value)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(value, &size);
    if (text == NULL)
        return -1;
    if (size == 0)
        return 0;
    if (put_varint(writer, field->tag) < 0 || put_varint(writer, (uint64_t)size) < 0)
        return -1;
    return put_bytes(writer, text, (size_t)size);
}

static int put_raw(Writer *writer, Field *field, PyObject *value)
{
    if (PyBytes_Check(value) && PyBytes_GET_SIZE(value) == 0)
        return 0;
    return put_delimited(writer, field->tag, value);
}

static int put_nested(Writer *writer, Field *field, PyObject *value)
{
    size_t start;
    if (open_delimited(writer, field->tag, &start) < 0)
        return -1;
    if (put_message(writer, field->message, value) < 0)
        return -1;
    return close_delimited(writer, start);
}

static int put_each(Writer *writer, Field *field, PyObject *values)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(values); at++) {
        PyObject *value = PyTuple_GET_ITEM(values, at);
        int done = field->kind == RAWS ? put_delimited(writer, field->tag, value)
                                       : put_nested(writer, field, value);
        if (done < 0)
            return -1;
    }
    return 0;
}

static int put_several(Writer *writer, Field *field, PyObject *values)
{
    PyObject *tuple = tuple_of(values);
    if (tuple == NULL)
        return -1;
    int done = is_repeated(field) ? put_each(writer, field, tuple)
                                  : put_numbers(writer, field, tuple);
    Py_DECREF(tuple);
    return done;
}

static int put_flag(Writer *writer, Field *field, PyObject *value)
{
    int is_true = PyObject_RichCompareBool(PyTuple_GET_ITEM(field->members, 1), value, Py_EQ);
    if (is_true <= 0)
        return is_true;
    return put_varint(writer, field->tag) < 0 ? -1 : put_varint(writer, 1);
}

static int put_counts(Writer *writer, Field *field, PyObject *value)
{
    size_t start;
    unsigned long long packed = PyLong_AsUnsignedLongLong(value);
    if (packed == (unsigned long long)-1 && PyErr_Occurred())
        return -1;
    if (open_delimited(writer, field->tag, &start) < 0)
        return -1;
    for (int at = 0; at < field->shift_count; at++)
        if (put_varint(writer, packed >> field->shifts[at] & field->mask) < 0)
            return -1;
    return close_delimited(writer, start);
}

int put_field(Writer *writer, Field *field, PyObject *value)
{
    switch (field->kind) {
    case UINT: case SINT: case WORD:
        return put_number(writer, field, value);
    case FLAG:
        return put_flag(writer, field, value);
    case ENUM:
        return put_member(writer, field, value);
    case DOUBLE:
        return put_double(writer, field, value);
    case TEXT:
        return put_text(writer, field, value);
    case RAW:
        return put_raw(writer, field, value);
    case OPTIONAL:
        return value == Py_None ? 0 : put_nested(writer, field, value);
    case NESTED:
        return put_nested(writer, field, value);
    case COUNTS:
        return put_counts(writer, field, value);
    case IGNORED:
        return 0;
    default:
        return put_several(writer, field, value);
    }
}
