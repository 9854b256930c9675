/* The answers of a bot, written by the SDK and read by the referee. */

#include "wire.h"

typedef struct {
    PyObject_HEAD
    /* The tags of the fields; `each` is one decision. */
    unsigned long long decisions, each, match, number, action, index, note;
} Decisions;

static PyObject *decisions_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(kwargs))
{
    Decisions *self = (Decisions *)type->tp_alloc(type, 0);
    if (self != NULL
        && !PyArg_ParseTuple(args, "KKKKKKK", &self->decisions, &self->each, &self->match,
                             &self->number, &self->action, &self->index, &self->note))
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* Writing */

static int put_number(Writer *writer, uint64_t tag, PyObject *value, int is_required)
{
    unsigned long long number = PyLong_AsUnsignedLongLong(value);
    if (number == (unsigned long long)-1 && PyErr_Occurred())
        return -1;
    if (number == 0 && !is_required)
        return 0;
    return put_varint(writer, tag) < 0 ? -1 : put_varint(writer, number);
}

static int put_note(Writer *writer, uint64_t tag, PyObject *note)
{
    Py_ssize_t size;
    const char *text;
    if (note == NULL)
        return 0;
    text = PyUnicode_AsUTF8AndSize(note, &size);
    if (text == NULL)
        return -1;
    if (size == 0)
        return 0;
    if (put_varint(writer, tag) < 0 || put_varint(writer, (uint64_t)size) < 0)
        return -1;
    return put_bytes(writer, text, (size_t)size);
}

/* `note` may be NULL. */
static int put_decision(Writer *writer, Decisions *self, PyObject *request, PyObject *action,
                        PyObject *note)
{
    size_t start, inner;
    if (!PyTuple_Check(request) || PyTuple_GET_SIZE(request) < 2) {
        PyErr_SetString(PyExc_TypeError, "expected a request");
        return -1;
    }
    if (open_delimited(writer, self->each, &start) < 0
        || put_number(writer, self->match, PyTuple_GET_ITEM(request, 0), 0) < 0
        || put_number(writer, self->number, PyTuple_GET_ITEM(request, 1), 0) < 0
        || open_delimited(writer, self->action, &inner) < 0
        /* The field that is present is the kind of action, so 0 is written too. */
        || put_number(writer, self->index, action, 1) < 0
        || close_delimited(writer, inner) < 0
        || put_note(writer, self->note, note) < 0)
        return -1;
    return close_delimited(writer, start);
}

static int put_decisions(Writer *writer, Decisions *self, PyObject *requests, PyObject *actions,
                         PyObject *notes)
{
    size_t start;
    Py_ssize_t count = PyTuple_GET_SIZE(requests), note_count = PyTuple_GET_SIZE(notes);
    if (count != PyTuple_GET_SIZE(actions) || (note_count != 0 && note_count != count)) {
        PyErr_SetString(PyExc_ValueError, "there is one action for each request");
        return -1;
    }
    if (open_delimited(writer, self->decisions, &start) < 0)
        return -1;
    for (Py_ssize_t at = 0; at < count; at++)
        if (put_decision(writer, self, PyTuple_GET_ITEM(requests, at),
                         PyTuple_GET_ITEM(actions, at),
                         note_count ? PyTuple_GET_ITEM(notes, at) : NULL) < 0)
            return -1;
    return close_delimited(writer, start);
}

static PyObject *decisions_write(Decisions *self, PyObject *args)
{
    PyObject *requests, *actions, *notes = NULL, *written = NULL;
    if (!PyArg_ParseTuple(args, "OO|O", &requests, &actions, &notes))
        return NULL;
    requests = tuple_of(requests);
    actions = requests == NULL ? NULL : tuple_of(actions);
    if (actions == NULL)
        notes = NULL;
    else
        notes = notes == NULL ? PyTuple_New(0) : tuple_of(notes);
    if (notes != NULL) {
        Writer writer;
        writer_open(&writer);
        written = writer_finish(&writer, put_decisions(&writer, self, requests, actions, notes) < 0);
    }
    Py_XDECREF(requests);
    Py_XDECREF(actions);
    Py_XDECREF(notes);
    return written;
}

/* Reading: everything unusual is left to the generated classes, which decide what is valid. */

static int next_is(const Reader *reader, uint64_t tag)
{
    return reader->at < reader->end && *reader->at == tag;
}

/* Read a number of 32 bits; return whether it is one. */
static int usual_number(Reader *reader, uint64_t *number)
{
    *number = 0;
    for (int shift = 0; shift < 35 && reader->at < reader->end; shift += 7) {
        uint8_t byte = *reader->at++;
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return *number <= UINT32_MAX;
    }
    return 0;
}

/* Step into a field; return whether it is there and complete. */
static int usual_field(Reader *reader, uint64_t tag, Reader *content)
{
    uint64_t size;
    if (!next_is(reader, tag))
        return 0;
    reader->at++;
    if (!usual_number(reader, &size) || size > (uint64_t)(reader->end - reader->at))
        return 0;
    content->at = reader->at;
    content->end = reader->at += size;
    return 1;
}

/* `note` is empty if there is none. */
static int usual_decision(Decisions *self, Reader reader, uint64_t numbers[3], Reader *note)
{
    Reader action;
    const uint64_t tags[2] = {self->match, self->number};
    for (int at = 0; at < 2; at++) {
        numbers[at] = 0;
        if (next_is(&reader, tags[at])) {
            reader.at++;
            if (!usual_number(&reader, &numbers[at]))
                return 0;
        }
    }
    if (!usual_field(&reader, self->action, &action))
        return 0;
    note->at = note->end = reader.at;
    if (reader.at != reader.end
        && (!usual_field(&reader, self->note, note) || reader.at != reader.end))
        return 0;
    if (!next_is(&action, self->index))
        return 0;
    action.at++;
    return usual_number(&action, &numbers[2]) && action.at == action.end;
}

/* Append a decision; return 0 if its note is not UTF-8, and -1 after an error. */
static int add_decision(PyObject *found, const uint64_t numbers[3], const Reader *note)
{
    PyObject *text =
        PyUnicode_DecodeUTF8((const char *)note->at, note->end - note->at, NULL);
    if (text == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError))
            return -1;
        PyErr_Clear();
        return 0;
    }
    PyObject *decision = PyTuple_New(4);
    if (decision == NULL) {
        Py_DECREF(text);
        return -1;
    }
    PyTuple_SET_ITEM(decision, 3, text);
    for (int at = 0; at < 3; at++) {
        PyObject *number = PyLong_FromUnsignedLongLong(numbers[at]);
        if (number == NULL) {
            Py_DECREF(decision);
            return -1;
        }
        PyTuple_SET_ITEM(decision, at, number);
    }
    int done = PyList_Append(found, decision);
    Py_DECREF(decision);
    return done < 0 ? -1 : 1;
}

static PyObject *decisions_read(Decisions *self, PyObject *data)
{
    Reader reader, content, each, note;
    uint64_t numbers[3];
    if (reader_open(&reader, data) < 0)
        return NULL;
    if (!usual_field(&reader, self->decisions, &content) || reader.at != reader.end)
        Py_RETURN_NONE;
    PyObject *found = PyList_New(0);
    if (found == NULL)
        return NULL;
    while (content.at < content.end) {
        int added = 0;
        if (usual_field(&content, self->each, &each)
            && usual_decision(self, each, numbers, &note))
            added = add_decision(found, numbers, &note);
        if (added <= 0) {
            Py_DECREF(found);
            if (added < 0)
                return NULL;
            Py_RETURN_NONE;
        }
    }
    return found;
}

static void decisions_dealloc(Decisions *self)
{
    Py_TYPE(self)->tp_free(self);
}

static PyMethodDef decisions_methods[] = {
    {"write", (PyCFunction)decisions_write, METH_VARARGS,
     "Write a bot's answers: one action for each request, and no notes or one for each."},
    {"read", (PyCFunction)decisions_read, METH_O,
     "Return (match, number, index, note) of each decision; None if anything is unusual."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject DecisionsType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "arena.wire._native.Decisions",
    .tp_basicsize = sizeof(Decisions),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "The answers of a bot.",
    .tp_new = decisions_new,
    .tp_dealloc = (destructor)decisions_dealloc,
    .tp_methods = decisions_methods,
};
