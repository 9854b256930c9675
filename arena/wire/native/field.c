/* One field of a message: write it with its tag, and read what follows a tag. */

#include "wire.h"

enum Kind {
    UINT, SINT, FLAG, ENUM, UINTS, SINTS, WORD, WORDS, DOUBLE, TEXT, RAW, RAWS,
    NESTED, OPTIONAL, REPEATED, IGNORED, KINDS
};

/* The names that Python uses. */
static const char *const NAMES[KINDS] = {
    "uint", "sint", "flag", "enum", "uints", "sints", "word", "words", "double", "text", "raw",
    "raws", "nested", "optional", "repeated", "ignored",
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

/* Take the positions of bit fields, if no sum of them can exceed 64 bits. */
static int field_shifts(Field *field, PyObject *shifts, uint64_t mask)
{
    Py_ssize_t count = PyTuple_GET_SIZE(shifts);
    if (field->kind != UINTS || count > MOST_FIELDS)
        return 0;
    for (Py_ssize_t at = 0; at < count; at++) {
        unsigned long shift = PyLong_AsUnsignedLong(PyTuple_GET_ITEM(shifts, at));
        if (shift == (unsigned long)-1 && PyErr_Occurred())
            return -1;
        if (shift > 57 || mask >> (58 - shift))
            return 0;
        field->shifts[at] = (uint8_t)shift;
    }
    field->shift_count = (int)count;
    field->mask = mask;
    return 0;
}

int field_init(Field *field, PyObject *description)
{
    const char *name;
    PyObject *message, *encode, *decode, *shifts;
    unsigned long long tag, mask;
    if (!PyTuple_Check(description)) {
        PyErr_SetString(PyExc_TypeError, "a field is described by a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(description, "KsOOO!OOO!K", &tag, &name, &field->initial, &message,
            &PyTuple_Type, &field->members, &encode, &decode, &PyTuple_Type, &shifts, &mask)) {
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
    if (encode == Py_None)
        return 0;
    field->encode = Py_NewRef(encode);
    field->decode = Py_NewRef(decode);
    field->written = PyDict_New();
    field->taken = PyDict_New();
    if (field->written == NULL || field->taken == NULL)
        return -1;
    return field_shifts(field, shifts, mask);
}

void field_clear(Field *field)
{
    Py_CLEAR(field->initial);
    Py_CLEAR(field->message);
    Py_CLEAR(field->members);
    Py_CLEAR(field->encode);
    Py_CLEAR(field->decode);
    Py_CLEAR(field->written);
    Py_CLEAR(field->taken);
}

/* Writing */

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
    int is_true = PyObject_IsTrue(value);
    if (is_true <= 0)
        return is_true;
    return put_varint(writer, field->tag) < 0 ? -1 : put_varint(writer, 1);
}

static int put_plain(Writer *writer, Field *field, PyObject *value)
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
    case IGNORED:
        return 0;
    default:
        return put_several(writer, field, value);
    }
}

/* Conversions are Python functions: their results are cached. */
static int put_converted(Writer *writer, Field *field, PyObject *value)
{
    PyObject *bytes = PyDict_GetItemWithError(field->written, value);
    if (bytes != NULL)
        return put_bytes(writer, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
    if (PyErr_Occurred())
        return -1;
    PyObject *sent = PyObject_CallOneArg(field->encode, value);
    if (sent == NULL)
        return -1;
    size_t start = writer->size;
    int done = put_plain(writer, field, sent);
    Py_DECREF(sent);
    if (done < 0)
        return -1;
    bytes = PyBytes_FromStringAndSize((char *)writer->data + start,
                                      (Py_ssize_t)(writer->size - start));
    if (bytes == NULL)
        return -1;
    done = memo_store(field->written, value, bytes);
    Py_DECREF(bytes);
    return done;
}

static int put_bit_fields(Writer *writer, Field *field, PyObject *value)
{
    size_t start;
    unsigned long long packed = PyLong_AsUnsignedLongLong(value);
    if (packed == (unsigned long long)-1 && PyErr_Occurred()) {
        PyErr_Clear();
        return put_converted(writer, field, value);
    }
    if (open_delimited(writer, field->tag, &start) < 0)
        return -1;
    for (int at = 0; at < field->shift_count; at++)
        if (put_varint(writer, packed >> field->shifts[at] & field->mask) < 0)
            return -1;
    return close_delimited(writer, start);
}

int put_field(Writer *writer, Field *field, PyObject *value)
{
    if (field->encode == NULL)
        return put_plain(writer, field, value);
    if (field->shift_count > 0)
        return put_bit_fields(writer, field, value);
    return put_converted(writer, field, value);
}

/* Reading */

static PyObject *signed_number(uint64_t number)
{
    uint64_t value = number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
    int64_t result;
    memcpy(&result, &value, 8);
    return PyLong_FromLongLong(result);
}

static PyObject *plain_number(Field *field, uint64_t number)
{
    double value;
    switch (field->kind) {
    case SINT:
        return signed_number(number);
    case FLAG:
        return PyBool_FromLong(number != 0);
    case DOUBLE:
        memcpy(&value, &number, 8);
        return PyFloat_FromDouble(value);
    case ENUM:
        if (number == 0 || number > (uint64_t)PyTuple_GET_SIZE(field->members)) {
            malformed();
            return NULL;
        }
        return Py_NewRef(PyTuple_GET_ITEM(field->members, (Py_ssize_t)number - 1));
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
            value = field->kind == SINTS ? signed_number(number)
                                         : PyLong_FromUnsignedLongLong(number);
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
