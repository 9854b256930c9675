/* Growing buffers, memos and errors. */

#include "wire.h"

PyObject *Malformed;

void raise_malformed(void)
{
    PyErr_SetString(Malformed, "a message is malformed");
}

void convert_error(void)
{
    if (PyErr_ExceptionMatches(PyExc_LookupError) || PyErr_ExceptionMatches(PyExc_ValueError)
        || PyErr_ExceptionMatches(PyExc_ArithmeticError))
        malformed();
}

void writer_open(Writer *writer)
{
    writer->data = writer->first;
    writer->size = 0;
    writer->room = FIRST_ROOM;
}

void writer_close(Writer *writer)
{
    if (writer->data != writer->first)
        PyMem_Free(writer->data);
}

PyObject *writer_finish(Writer *writer, int failed)
{
    PyObject *bytes = NULL;
    if (!failed)
        bytes = PyBytes_FromStringAndSize((char *)writer->data, (Py_ssize_t)writer->size);
    writer_close(writer);
    return bytes;
}

int writer_grow(Writer *writer, size_t more)
{
    if (more > (size_t)PY_SSIZE_T_MAX / 4 - writer->size) {
        PyErr_NoMemory();
        return -1;
    }
    size_t room = 2 * (writer->size + more);
    uint8_t *old = writer->data == writer->first ? NULL : writer->data;
    uint8_t *data = PyMem_Realloc(old, room);
    if (data == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (old == NULL)
        memcpy(data, writer->first, writer->size);
    writer->data = data;
    writer->room = room;
    return 0;
}

int put_word(Writer *writer, uint64_t value)
{
    uint8_t bytes[8];
    for (int at = 0; at < 8; at++)
        bytes[at] = (uint8_t)(value >> 8 * at);
    return put_bytes(writer, bytes, 8);
}

int put_delimited(Writer *writer, uint64_t tag, PyObject *bytes)
{
    if (!PyBytes_Check(bytes)) {
        PyErr_Format(PyExc_TypeError, "expected bytes, not %s", Py_TYPE(bytes)->tp_name);
        return -1;
    }
    size_t size = (size_t)PyBytes_GET_SIZE(bytes);
    if (put_varint(writer, tag) < 0 || put_varint(writer, size) < 0)
        return -1;
    return put_bytes(writer, PyBytes_AS_STRING(bytes), size);
}

int open_delimited(Writer *writer, uint64_t tag, size_t *start)
{
    /* Most content is shorter than 128 bytes, so that its length takes one byte. */
    if (put_varint(writer, tag) < 0 || put_varint(writer, 0) < 0)
        return -1;
    *start = writer->size;
    return 0;
}

int close_delimited(Writer *writer, size_t start)
{
    size_t size = writer->size - start;
    if (size > 127) {
        size_t wider = 0;
        for (size_t rest = size >> 7; rest; rest >>= 7)
            wider++;
        if (reserve(writer, wider) < 0)
            return -1;
        memmove(writer->data + start + wider, writer->data + start, size);
    }
    writer->size = start - 1;
    for (size_t rest = size;; rest >>= 7) {
        writer->data[writer->size++] = (uint8_t)(rest > 127 ? rest | 128 : rest);
        if (rest <= 127)
            break;
    }
    writer->size += size;
    return 0;
}

int reader_open(Reader *reader, PyObject *data)
{
    if (!PyBytes_Check(data)) {
        PyErr_Format(PyExc_TypeError, "expected bytes, not %s", Py_TYPE(data)->tp_name);
        return -1;
    }
    reader->at = (const uint8_t *)PyBytes_AS_STRING(data);
    reader->end = reader->at + PyBytes_GET_SIZE(data);
    return 0;
}

int memo_store(PyObject *memo, PyObject *key, PyObject *value)
{
    if (PyDict_GET_SIZE(memo) >= MEMO_SIZE)
        PyDict_Clear(memo);
    return PyDict_SetItem(memo, key, value);
}

PyObject *tuple_of(PyObject *sequence)
{
    if (PyTuple_Check(sequence))
        return Py_NewRef(sequence);
    return PySequence_Tuple(sequence);
}
