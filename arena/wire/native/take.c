/* Read what follows the tag of a field. */

#include "wire.h"

static PyObject *signed_number(uint64_t number)
{
    uint64_t value = number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
    int64_t result;
    memcpy(&result, &value, 8);
    return PyLong_FromLongLong(result);
}

/* Return the value that a number stands for: a member of an enum, a card. */
static PyObject *member(Field *field, uint64_t at)
{
    if (at < (uint64_t)PyTuple_GET_SIZE(field->members)) {
        PyObject *value = PyTuple_GET_ITEM(field->members, (Py_ssize_t)at);
        if (value != Py_None)
            return Py_NewRef(value);
    }
    malformed();
    return NULL;
}

static PyObject *plain_number(Field *field, uint64_t number)
{
    double value;
    if (field->kind != ENUM && PyTuple_GET_SIZE(field->members) > 0)
        return member(field, number);
    switch (field->kind) {
    case SINT: case SINTS:
        return signed_number(number);
    case FLAG:
        return PyBool_FromLong(number != 0);
    case DOUBLE:
        memcpy(&value, &number, 8);
        return PyFloat_FromDouble(value);
    case ENUM:
        return member(field, number - 1);
    default:
        return PyLong_FromUnsignedLongLong(number);
    }
}

/* Replace a value that was sent by the value that is stored. */
static PyObject *decoded(Field *field, PyObject *sent)
{
    if (sent == NULL || field->decode == NULL)
        return sent;
    PyObject *value = PyObject_CallOneArg(field->decode, sent);
    Py_DECREF(sent);
    return value;
}

PyObject *take_number(Field *field, uint64_t number)
{
    return decoded(field, plain_number(field, number));
}

/* Every number ends with a byte below 128. */
static Py_ssize_t count_numbers(Reader content)
{
    Py_ssize_t count = 0;
    for (const uint8_t *at = content.at; at < content.end; at++)
        count += *at < 128;
    return count;
}

static PyObject *take_numbers(Field *field, Reader content)
{
    PyObject *numbers = PyTuple_New(count_numbers(content));
    if (numbers == NULL)
        return NULL;
    Py_ssize_t at = 0;
    while (content.at < content.end) {
        uint64_t number;
        PyObject *value = NULL;
        if (take_varint(&content, &number) == 0)
            value = plain_number(field, number);
        if (value == NULL) {
            Py_DECREF(numbers);
            return NULL;
        }
        PyTuple_SET_ITEM(numbers, at++, value);
    }
    return numbers;
}

static PyObject *take_words(Reader content)
{
    Py_ssize_t size = content.end - content.at;
    if (size % 8) {
        malformed();
        return NULL;
    }
    PyObject *words = PyTuple_New(size / 8);
    for (Py_ssize_t at = 0; words != NULL && at < size / 8; at++) {
        PyObject *word = PyLong_FromUnsignedLongLong(word_at(content.at + 8 * at));
        if (word == NULL)
            Py_CLEAR(words);
        else
            PyTuple_SET_ITEM(words, at, word);
    }
    return words;
}

static PyObject *plain_content(Field *field, Reader content)
{
    switch (field->kind) {
    case UINTS: case SINTS:
        return take_numbers(field, content);
    case WORDS:
        return take_words(content);
    case TEXT:
        return PyUnicode_DecodeUTF8((const char *)content.at, content.end - content.at, NULL);
    case NESTED: case OPTIONAL: case REPEATED:
        return take_message(field->message, content, NULL, 0);
    case IGNORED:
        return Py_NewRef(field->initial);
    default:
        return bytes_of(content);
    }
}

/* Return the integer of some bit fields; NULL without an exception if one is too large. */
static PyObject *take_bit_fields(Field *field, Reader content)
{
    uint64_t packed = 0;
    for (Py_ssize_t at = 0; content.at < content.end; at++) {
        uint64_t value;
        if (take_varint(&content, &value) < 0)
            return NULL;
        if (at >= field->shift_count)
            continue;
        if (value > field->mask)
            return NULL;
        packed += value << field->shifts[at];
    }
    return PyLong_FromUnsignedLongLong(packed);
}

PyObject *take_content(Field *field, Reader content)
{
    if (field->decode == NULL)
        return plain_content(field, content);
    if (field->shift_count > 0) {
        PyObject *packed = take_bit_fields(field, content);
        if (packed != NULL || PyErr_Occurred())
            return packed;
    }
    PyObject *key = bytes_of(content);
    if (key == NULL)
        return NULL;
    PyObject *value = Py_XNewRef(PyDict_GetItemWithError(field->taken, key));
    if (value == NULL && !PyErr_Occurred()) {
        value = decoded(field, plain_content(field, content));
        if (value != NULL && memo_store(field->taken, key, value) < 0)
            Py_CLEAR(value);
    }
    Py_DECREF(key);
    return value;
}
