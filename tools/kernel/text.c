/*
 * libveu-kernel: translation of a kernel's vISA text to a program.
 *
 * SPDX-License-Identifier: MIT
 *
 * A zebin has a section of text for each kernel, in the order of .ze_info, and
 * one for each function, after the kernel that it was compiled with. Newer
 * compilers name the section by the kernel. Functions whose address a program
 * takes may follow another kernel.
 */
#include <string.h>
#include "tools/kernel/kernel_internal.h"
#include "tools/visa/assemble.h"

/* --- Texts --------------------------------------------------------------- */

static const VeuKernelText *text_at(const VeuZebin *zebin, unsigned index)
{
    return &g_array_index(zebin->texts, VeuKernelText, index);
}

/* The index of the kernel's text, found by name or else by its number. */
static int find_kernel_text(const VeuKernel *k)
{
    const VeuZebin *zebin = k->zebin;
    unsigned number = 0;
    int found = -1;

    for (unsigned i = 0; i < zebin->texts->len; i++) {
        const VeuKernelText *text = text_at(zebin, i);

        if (text->is_kernel && !strcmp(text->suffix, k->name)) {
            return i;
        }
        if (text->is_kernel && number++ == k->index) {
            found = i;
        }
    }
    return found;
}

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$' || c == '.';
}

/* Returns true if the text contains the name as a whole word. */
static bool names(const char *text, const char *name)
{
    size_t length = strlen(name);

    if (!length) {
        return false;
    }
    for (const char *at = text; (at = strstr(at, name)); at += length) {
        if ((at == text || !is_word(at[-1])) && !is_word(at[length])) {
            return true;
        }
    }
    return false;
}

typedef struct Chooser {
    const VeuZebin *zebin;
    GString *text;
    GHashTable *chosen; /* names of functions */
    unsigned group;     /* text of the kernel */
} Chooser;

/* Chooses a function that has a text and is named by what has been chosen. */
static bool choose_one(Chooser *c)
{
    unsigned count = c->zebin->texts->len;

    for (unsigned n = 1; n < count; n++) {
        const VeuKernelText *text = text_at(c->zebin, (c->group + n) % count);

        if (!text->is_kernel &&
            !g_hash_table_contains(c->chosen, text->suffix) &&
            names(c->text->str, text->suffix)) {
            g_string_append(c->text, "\n");
            g_string_append(c->text, text->text);
            g_hash_table_add(c->chosen, text->suffix);
            return true;
        }
    }
    return false;
}

char *veu_kernel_text(const VeuKernel *k, GError **error)
{
    int group = find_kernel_text(k);
    Chooser c = { .zebin = k->zebin, .group = group };

    if (group < 0) {
        veu_kernel_error(error, "kernel %s has no vISA text in the file",
                         k->name);
        return NULL;
    }
    c.text = g_string_new(text_at(k->zebin, group)->text);
    c.chosen = g_hash_table_new(g_str_hash, g_str_equal);
    while (choose_one(&c)) {}
    g_hash_table_unref(c.chosen);
    return g_string_free(c.text, FALSE);
}

/* --- The program --------------------------------------------------------- */

/* The addresses of variables, for faddr: uint64_t by name. */
static GHashTable *make_addresses(const VeuZebin *zebin)
{
    GHashTable *addresses = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                                  g_free);
    GHashTableIter i;
    void *name;
    void *symbol;

    g_hash_table_iter_init(&i, zebin->symbols);
    while (g_hash_table_iter_next(&i, &name, &symbol)) {
        uint64_t address;

        if (veu_zebin_address(zebin, symbol, &address)) {
            g_hash_table_insert(addresses, name,
                                g_memdup2(&address, sizeof(address)));
        }
    }
    return addresses;
}

static const VisaRoutine *first_kernel(const VisaObject *object,
                                       VisaError *error)
{
    for (unsigned i = 0; i < object->routines->len; i++) {
        const VisaRoutine *r = g_ptr_array_index(object->routines, i);

        if (!r->function) {
            return r;
        }
    }
    visa_error(error, "the text has no kernel");
    return NULL;
}

static GByteArray *write_program(const VeuKernel *k, VisaLinked *linked,
                                 bool one_place, VisaError *error)
{
    uint32_t image = k->grf_bytes + k->local_id_bytes + k->cross_thread_bytes;
    VisaLayout layout = { 0 };
    GByteArray *program = NULL;

    if (veu_kernel_place_variables(linked, &layout, k->grf_bytes, image,
                                   one_place, error)) {
        program = visa_program_of(linked, &layout, error);
    }
    visa_layout_free(&layout);
    return program;
}

static GByteArray *link_and_write(const VeuKernel *k, const VisaObject *object,
                                  bool one_place, VisaError *error)
{
    const VisaRoutine *kernel = first_kernel(object, error);
    GHashTable *addresses = make_addresses(k->zebin);
    GByteArray *program = NULL;
    VisaLinked linked = { 0 };

    if (kernel && visa_link(&linked, object, kernel, addresses, error)) {
        program = write_program(k, &linked, one_place, error);
    }
    if (kernel) {
        visa_linked_free(&linked);
    }
    g_hash_table_unref(addresses);
    return program;
}

GByteArray *veu_kernel_program(const VeuKernel *k, bool one_place,
                               GError **error)
{
    g_autofree char *text = veu_kernel_text(k, error);
    VisaError visa = { 0 };
    VisaObject *object;
    GByteArray *program = NULL;

    if (!text) {
        return NULL;
    }
    object = visa_assemble(text, k->grf_bytes, &visa);
    if (object) {
        program = link_and_write(k, object, one_place, &visa);
        visa_object_free(object);
    }
    if (!program) {
        g_autofree char *line = visa.line ? g_strdup_printf(" (line %u of its "
                                                            "vISA text)",
                                                            visa.line) :
                                            g_strdup("");

        veu_kernel_error(error, "kernel %s: %s%s%s%s", k->name, visa.message,
                         line, *visa.hint ? "; " : "", visa.hint);
    }
    return program;
}

/* --- Source lines -------------------------------------------------------- */

static void take_lines(const VisaLinked *linked, GArray *lines,
                       GPtrArray *files)
{
    for (unsigned i = 0; i < linked->lines->len; i++) {
        const VisaSourceLine *from = &g_array_index(linked->lines,
                                                    VisaSourceLine, i);
        VeuKernelLine line = {
            .offset = from->offset,
            .line = from->line,
            .file = from->file,
        };

        g_array_append_val(lines, line);
    }
    for (unsigned i = 0; i < linked->files->len; i++) {
        g_ptr_array_add(files, g_strdup(g_ptr_array_index(linked->files, i)));
    }
}

static void link_for_lines(const VeuKernel *k, const VisaObject *object,
                           GArray *lines, GPtrArray *files)
{
    GHashTable *addresses = make_addresses(k->zebin);
    VisaError error = { 0 };
    const VisaRoutine *kernel = first_kernel(object, &error);
    VisaLinked linked;

    if (kernel) {
        if (visa_link(&linked, object, kernel, addresses, &error)) {
            take_lines(&linked, lines, files);
        }
        visa_linked_free(&linked);
    }
    g_hash_table_unref(addresses);
}

void veu_kernel_lines(const VeuKernel *k, GArray *lines, GPtrArray *files)
{
    g_autofree char *text = veu_kernel_text(k, NULL);
    VisaError error = { 0 };
    VisaObject *object = text ? visa_assemble(text, k->grf_bytes, &error) :
                                NULL;

    if (object) {
        link_for_lines(k, object, lines, files);
        visa_object_free(object);
    }
}
