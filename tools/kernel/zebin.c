/*
 * libveu-kernel: the sections of a zebin.
 *
 * SPDX-License-Identifier: MIT
 *
 * libelf checks that sections lie in the file; this checks their contents.
 */
#include <gelf.h>
#include <string.h>
#include "tools/kernel/kernel_internal.h"

/*
 * Limits for data of which the file has only the size, and for all sections of
 * data.
 */
#define MAX_DATA_BYTES (UINT64_C(256) << 20)
#define MAX_TEXTS      8192

typedef struct Reader {
    VeuZebin *zebin;
    Elf *elf;
    size_t names; /* section of section names */
    uint64_t data_bytes;
    uint64_t copied_bytes; /* bytes of texts and names: sections may overlap */
    GError **error;
} Reader;

/* --- Sections ------------------------------------------------------------ */

static bool count_copied(Reader *r, uint64_t bytes)
{
    if (bytes > VEU_ZEBIN_MAX_BYTES - r->copied_bytes) {
        return veu_kernel_error(r->error, "the sections and names of the file "
                                          "have more than 64 MiB");
    }
    r->copied_bytes += bytes;
    return true;
}

/*
 * Returns true if a line begins with .kernel; functions have .global_function.
 */
static bool has_kernel_line(const char *text)
{
    return g_str_has_prefix(text, ".kernel ") || strstr(text, "\n.kernel ");
}

static bool add_text(Reader *r, const char *suffix, const Elf_Data *data)
{
    VeuKernelText text;

    if (r->zebin->texts->len >= MAX_TEXTS) {
        return veu_kernel_error(r->error, "more than %u texts", MAX_TEXTS);
    }
    if (!count_copied(r, strlen(suffix) + data->d_size)) {
        return false;
    }
    text.suffix = g_strdup(suffix);
    text.text = g_strndup(data->d_buf ? data->d_buf : "",
                          data->d_buf ? data->d_size : 0);
    text.is_kernel = has_kernel_line(text.text);
    g_array_append_val(r->zebin->texts, text);
    return true;
}

static bool add_data(Reader *r, const char *name, Elf_Scn *section,
                     const Elf_Data *data, uint64_t bytes)
{
    VeuKernelSection s = { .elf_index = elf_ndxscn(section), .bytes = bytes };

    if (bytes > MAX_DATA_BYTES - r->data_bytes) {
        return veu_kernel_error(r->error,
                                "section %.40s: more than 256 MiB of data",
                                name);
    }
    if (!count_copied(r, strlen(name))) {
        return false;
    }
    r->data_bytes += bytes;
    s.name = g_strdup(name);
    s.data = g_malloc0(bytes + 1);
    if (data->d_buf) {
        memcpy(s.data, data->d_buf, MIN(bytes, data->d_size));
    }
    g_array_append_val(r->zebin->sections, s);
    return true;
}

/* --- Symbols and relocations --------------------------------------------- */

/* Symbol @index of a table, or NULL if the table does not have it. */
static const char *get_symbol(Reader *r, Elf_Scn *section, unsigned index,
                              GElf_Sym *symbol)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Shdr header;

    if (!data || index > INT_MAX || !gelf_getshdr(section, &header) ||
        !gelf_getsym(data, index, symbol)) {
        return NULL;
    }
    return elf_strptr(r->elf, header.sh_link, symbol->st_name);
}

static bool add_symbols(Reader *r, Elf_Scn *section)
{
    GElf_Sym symbol;
    const char *name;

    for (unsigned i = 1; (name = get_symbol(r, section, i, &symbol)); i++) {
        VeuKernelSymbol *s;

        if (!count_copied(r, sizeof(*s) + strlen(name))) {
            return false;
        }
        s = g_new(VeuKernelSymbol, 1);
        *s = (VeuKernelSymbol){ .section = symbol.st_shndx,
                                .value = symbol.st_value };
        g_hash_table_replace(r->zebin->symbols, g_strdup(name), s);
    }
    return true;
}

static bool add_relocation(Reader *r, const GElf_Shdr *header, uint64_t info,
                           VeuKernelRelocation relocation)
{
    Elf_Scn *symbols = elf_getscn(r->elf, header->sh_link);
    GElf_Sym symbol;

    relocation.target = header->sh_info;
    relocation.type = GELF_R_TYPE(info);
    if (!symbols || !get_symbol(r, symbols, GELF_R_SYM(info), &symbol)) {
        return veu_kernel_error(r->error, "a relocation has no symbol");
    }
    relocation.symbol = (VeuKernelSymbol){ .section = symbol.st_shndx,
                                           .value = symbol.st_value };
    if (!count_copied(r, sizeof(relocation))) {
        return false;
    }
    g_array_append_val(r->zebin->relocations, relocation);
    return true;
}

static bool add_relocations(Reader *r, Elf_Scn *section,
                            const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    uint64_t count = header->sh_entsize ? header->sh_size / header->sh_entsize :
                                          0;
    bool good = data && count <= INT_MAX;

    for (unsigned i = 0; good && i < count; i++) {
        GElf_Rela rela = { 0 };
        GElf_Rel rel = { 0 };

        if (header->sh_type == SHT_RELA) {
            good = gelf_getrela(data, i, &rela) &&
                   add_relocation(r, header, rela.r_info,
                                  (VeuKernelRelocation){
                                      .offset = rela.r_offset,
                                      .addend = rela.r_addend,
                                      .has_addend = true });
        } else {
            good = gelf_getrel(data, i, &rel) &&
                   add_relocation(r, header, rel.r_info,
                                  (VeuKernelRelocation){
                                      .offset = rel.r_offset });
        }
    }
    return good || (r->error && *r->error) ||
           veu_kernel_error(r->error, "a table of relocations is cut short");
}

/* --- The file ------------------------------------------------------------ */

static bool is_data_name(const char *name)
{
    return g_str_has_prefix(name, ".data.") || g_str_has_prefix(name, ".bss.");
}

/* The compiler has already applied the relocations of code to the vISA text. */
static bool is_data_relocation(const char *name)
{
    return g_str_has_prefix(name, ".rel.data.") ||
           g_str_has_prefix(name, ".rela.data.");
}

static bool add_section(Reader *r, Elf_Scn *section, const char *name,
                        const GElf_Shdr *header)
{
    const Elf_Data empty = { 0 };
    const Elf_Data *data = elf_rawdata(section, NULL);

    data = data ? data : &empty;
    if (!strcmp(name, ".ze_info")) {
        if (r->zebin->info->len) {
            return veu_kernel_error(r->error, "two sections are .ze_info");
        }
        g_string_append_len(r->zebin->info, data->d_buf ? data->d_buf : "",
                            data->d_buf ? data->d_size : 0);
        return true;
    }
    if (!strcmp(name, ".visaasm")) {
        return add_text(r, "", data);
    }
    if (g_str_has_prefix(name, ".visaasm.")) {
        return add_text(r, name + strlen(".visaasm."), data);
    }
    if (is_data_name(name)) {
        return add_data(r, name, section, data, header->sh_size);
    }
    if (header->sh_type == SHT_SYMTAB) {
        return add_symbols(r, section);
    }
    return !is_data_relocation(name) || add_relocations(r, section, header);
}

static bool read_sections(Reader *r)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = elf_nextscn(r->elf, section))) {
        const char *name = gelf_getshdr(section, &header) ?
                               elf_strptr(r->elf, r->names, header.sh_name) :
                               NULL;

        if (!name) {
            return veu_kernel_error(r->error, "a section has no name");
        }
        if (!add_section(r, section, name, &header)) {
            return false;
        }
    }
    return true;
}

static bool check_elf(Reader *r)
{
    const char *ident = r->elf ? elf_getident(r->elf, NULL) : NULL;

    if (!ident || elf_kind(r->elf) != ELF_K_ELF ||
        ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB) {
        return veu_kernel_error(
            r->error, "not a zebin: no 64-bit little-endian ELF file; compile "
                      "with veu-run --compile, or with ocloc and "
                      "-internal_options \"-cl-intel-allow-zebin "
                      "-cl-intel-emit-zebin-visa-sections\"");
    }
    return elf_getshdrstrndx(r->elf, &r->names) == 0 ||
           veu_kernel_error(r->error, "not a zebin: sections have no names");
}

static bool check_contents(const VeuZebin *zebin, GError **error)
{
    if (!zebin->info->len) {
        return veu_kernel_error(
            error, "not a zebin: it has no section .ze_info; compile with "
                   "-internal_options \"-cl-intel-allow-zebin "
                   "-cl-intel-emit-zebin-visa-sections\"");
    }
    return zebin->texts->len ||
           veu_kernel_error(error, "the zebin has no vISA text; compile with "
                                   "-internal_options \"-cl-intel-allow-zebin "
                                   "-cl-intel-emit-zebin-visa-sections\"");
}

static bool read_file(Reader *r, const uint8_t *bytes, size_t byte_count)
{
    g_autofree char *copy = NULL;
    bool good;

    if (byte_count > VEU_ZEBIN_MAX_BYTES) {
        return veu_kernel_error(r->error, "the file has more than 64 MiB");
    }
    elf_version(EV_CURRENT);
    copy = g_memdup2(bytes, byte_count);
    r->elf = copy ? elf_memory(copy, byte_count) : NULL;
    good = check_elf(r) && read_sections(r);
    elf_end(r->elf);
    return good && check_contents(r->zebin, r->error) &&
           veu_zebin_read_info(r->zebin, r->error);
}

static void clear_text(void *opaque)
{
    VeuKernelText *text = opaque;

    g_free(text->suffix);
    g_free(text->text);
}

static void clear_section(void *opaque)
{
    VeuKernelSection *section = opaque;

    g_free(section->name);
    g_free(section->data);
}

static void clear_kernel(void *opaque)
{
    veu_kernel_clear(opaque);
}

static GArray *new_array(unsigned element_bytes, GDestroyNotify clear)
{
    GArray *array = g_array_new(FALSE, TRUE, element_bytes);

    if (clear) {
        g_array_set_clear_func(array, clear);
    }
    return array;
}

VeuZebin *veu_zebin_new(const uint8_t *bytes, size_t byte_count, GError **error)
{
    g_autoptr(GError) local = NULL;
    VeuZebin *zebin = g_new0(VeuZebin, 1);
    Reader r = { .zebin = zebin, .error = &local };

    zebin->kernels = new_array(sizeof(VeuKernel), clear_kernel);
    zebin->texts = new_array(sizeof(VeuKernelText), clear_text);
    zebin->sections = new_array(sizeof(VeuKernelSection), clear_section);
    zebin->relocations = new_array(sizeof(VeuKernelRelocation), NULL);
    zebin->symbols = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                           g_free);
    zebin->info = g_string_new(NULL);
    if (!read_file(&r, bytes, byte_count)) {
        g_propagate_error(error, g_steal_pointer(&local));
        veu_zebin_free(zebin);
        return NULL;
    }
    return zebin;
}

void veu_zebin_free(VeuZebin *zebin)
{
    if (!zebin) {
        return;
    }
    g_array_unref(zebin->kernels);
    g_array_unref(zebin->texts);
    g_array_unref(zebin->sections);
    g_array_unref(zebin->relocations);
    g_hash_table_unref(zebin->symbols);
    g_string_free(zebin->info, TRUE);
    g_free(zebin);
}

const GArray *veu_zebin_kernels(const VeuZebin *zebin)
{
    return zebin->kernels;
}

GArray *veu_zebin_sections(VeuZebin *zebin)
{
    return zebin->sections;
}

bool veu_kernel_can_run(const VeuKernel *kernel)
{
    return strcmp(kernel->name, "Intel_Symbol_Table_Void_Program");
}

static char *kernel_names(const VeuZebin *zebin)
{
    GString *names = g_string_new(NULL);

    for (unsigned i = 0; i < zebin->kernels->len; i++) {
        const VeuKernel *k = &g_array_index(zebin->kernels, VeuKernel, i);

        if (veu_kernel_can_run(k)) {
            g_string_append_printf(names, "%s%s", *names->str ? ", " : "",
                                   k->name);
        }
    }
    return g_string_free(names, FALSE);
}

const VeuKernel *veu_zebin_kernel(const VeuZebin *zebin, const char *name,
                                  GError **error)
{
    g_autofree char *names = NULL;

    for (unsigned i = 0; i < zebin->kernels->len; i++) {
        const VeuKernel *k = &g_array_index(zebin->kernels, VeuKernel, i);

        if (!strcmp(k->name, name)) {
            return k;
        }
    }
    names = kernel_names(zebin);
    veu_kernel_error(error, "there is no kernel %s; the file has %s", name,
                     *names ? names : "none");
    return NULL;
}

/* --- Addresses ----------------------------------------------------------- */

VeuKernelSection *veu_zebin_section(const VeuZebin *zebin, unsigned elf_index)
{
    for (unsigned i = 0; i < zebin->sections->len; i++) {
        VeuKernelSection *s = &g_array_index(zebin->sections, VeuKernelSection,
                                             i);

        if (s->elf_index == elf_index) {
            return s;
        }
    }
    return NULL;
}

bool veu_zebin_address(const VeuZebin *zebin, const VeuKernelSymbol *symbol,
                       uint64_t *address)
{
    const VeuKernelSection *s = veu_zebin_section(zebin, symbol->section);

    if (!s || symbol->value > s->bytes) {
        return false;
    }
    *address = s->address + symbol->value;
    return true;
}

/* The number of bytes that a relocation changes. */
static unsigned relocated_bytes(const VeuKernelRelocation *r)
{
    return r->type == VEU_ZEBIN_RELOCATE_ADDRESS ? 8 : 4;
}

static bool check_relocation(const VeuZebin *zebin,
                             const VeuKernelRelocation *r, GError **error)
{
    VeuKernelSection *target = veu_zebin_section(zebin, r->target);
    uint64_t value;

    if (!target || r->offset > target->bytes ||
        target->bytes - r->offset < relocated_bytes(r)) {
        return veu_kernel_error(error,
                                "a relocation is outside of its section");
    }
    if (r->type < VEU_ZEBIN_RELOCATE_ADDRESS ||
        r->type > VEU_ZEBIN_RELOCATE_HIGH) {
        return veu_kernel_error(error,
                                "relocation of data of type %u: not "
                                "supported",
                                r->type);
    }
    return veu_zebin_address(zebin, &r->symbol, &value) ||
           veu_kernel_error(error, "data holds the address of what is no "
                                   "variable: not supported");
}

static bool check_relocations(const VeuZebin *zebin, GError **error)
{
    for (unsigned i = 0; i < zebin->relocations->len; i++) {
        if (!check_relocation(zebin,
                              &g_array_index(zebin->relocations,
                                             VeuKernelRelocation, i),
                              error)) {
            return false;
        }
    }
    return true;
}

/* The data contains an addend: compilers write it or leave it 0. */
uint64_t veu_zebin_addend(const VeuZebin *zebin, const VeuKernelRelocation *r)
{
    const VeuKernelSection *target = veu_zebin_section(zebin, r->target);
    uint64_t old = 0;

    if (r->has_addend) {
        return r->addend;
    }
    if (r->type == VEU_ZEBIN_RELOCATE_ADDRESS) {
        memcpy(&old, target->data + r->offset, sizeof(old));
    }
    return old;
}

/* The data is overwritten, so its addend is saved for the next call. */
static void relocate(const VeuZebin *zebin, VeuKernelRelocation *r)
{
    VeuKernelSection *target = veu_zebin_section(zebin, r->target);
    uint64_t value = 0;

    veu_zebin_address(zebin, &r->symbol, &value);
    r->addend = veu_zebin_addend(zebin, r);
    r->has_addend = true;
    value += r->addend;
    value = r->type == VEU_ZEBIN_RELOCATE_HIGH ? value >> 32 : value;
    memcpy(target->data + r->offset, &value, relocated_bytes(r));
}

bool veu_zebin_relocate(VeuZebin *zebin, GError **error)
{
    if (!check_relocations(zebin, error)) {
        return false;
    }
    for (unsigned i = 0; i < zebin->relocations->len; i++) {
        relocate(zebin,
                 &g_array_index(zebin->relocations, VeuKernelRelocation, i));
    }
    return true;
}
