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

PyObject *take_number(Field *field, uint64_t number)
{
    double value;
    if (field->kind == FLAG)
        return member(field, number != 0);
    if (field->kind != ENUM && PyTuple_GET_SIZE(field->members) > 0)
        return member(field, number);
    switch (field->kind) {
    case SINT: case SINTS:
        return signed_number(number);
    case DOUBLE:
        memcpy(&value, &number, 8);
        return PyFloat_FromDouble(value);
    case ENUM:
        return member(field, number - 1);
    default:
        return PyLong_FromUnsignedLongLong(number);
    }
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
            value = take_number(field, number);
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

static PyObject *take_counts(Field *field, Reader content)
{
    uint64_t packed = 0;
    for (Py_ssize_t at = 0; content.at < content.end; at++) {
        uint64_t value;
        if (take_varint(&content, &value) < 0)
            return NULL;
        if (value > field->mask) {
            malformed();
            return NULL;
        }
        if (at < field->shift_count)
            packed += value << field->shifts[at];
    }
    return PyLong_FromUnsignedLongLong(packed);
}

PyObject *take_content(Field *field, Reader content)
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
    case COUNTS:
        return take_counts(field, content);
    case IGNORED:
        return Py_NewRef(field->initial);
    default:
        return bytes_of(content);
    }
}
