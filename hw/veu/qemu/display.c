/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The QEMU device "veu-display": a veu whose scanout is a console.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/veu/qemu/display.h"
#include "hw/veu/device/host/device.h"

/* ---- frames: whoever runs batches, or has paused them ---- */

static VeuDisplayState *display_of(VeuHost *host)
{
    return VEU_DISPLAY(container_of(host, VeuState, host));
}

static pixman_format_code_t pixman_format(const VeuFormat *format)
{
    switch (format->code) {
#define FORMAT(name, pixman) \
    case VEU_FORMAT_##name:  \
        return PIXMAN_##pixman;
        VEU_SCANOUT_FORMATS(FORMAT)
#undef FORMAT
    default:
        g_assert_not_reached();
    }
}

static void drop_image(pixman_image_t **image)
{
    if (*image) {
        pixman_image_unref(*image);
        *image = NULL;
    }
}

/* The formats that consoles show without converting them. */
static bool begin_frame(VeuHost *host, const VeuFrame *frame)
{
    VeuDisplayState *d = display_of(host);

    drop_image(&d->frame);
    d->format = pixman_format(frame->format);
    d->frame = pixman_image_create_bits(PIXMAN_x8r8g8b8, frame->width,
                                        frame->height, NULL, 0);
    return d->frame;
}

static void convert_row(VeuHost *host, uint32_t y, const uint8_t *texels)
{
    VeuDisplayState *d = display_of(host);
    int width = pixman_image_get_width(d->frame);
    int stride = ROUND_UP(width * PIXMAN_FORMAT_BPP(d->format) / 8, 4);
    pixman_image_t *row = pixman_image_create_bits(d->format, width, 1,
                                                   (uint32_t *)texels, stride);

    if (row) {
        pixman_image_composite32(PIXMAN_OP_SRC, row, NULL, d->frame, 0, 0, 0, 0,
                                 0, y, width, 1);
        pixman_image_unref(row);
    }
}

/* Hands an image over; NULL if nothing is shown. */
static void hand_over(VeuDisplayState *d, pixman_image_t *image)
{
    qemu_mutex_lock(&d->lock);
    drop_image(&d->next);
    d->next = image;
    d->changed = true;
    qemu_mutex_unlock(&d->lock);
}

static void show_frame(VeuHost *host)
{
    VeuDisplayState *d = display_of(host);

    hand_over(d, g_steal_pointer(&d->frame));
}

static void show_nothing(VeuHost *host)
{
    VeuDisplayState *d = display_of(host);

    drop_image(&d->frame);
    hand_over(d, NULL);
}

static const VeuScreen veu_display_screen = {
    .begin = begin_frame,
    .row = convert_row,
    .show = show_frame,
    .blank = show_nothing,
};

/* ---- the console: with the big lock ---- */

static bool take_image(VeuDisplayState *d, pixman_image_t **image)
{
    bool changed;

    qemu_mutex_lock(&d->lock);
    changed = d->changed;
    d->changed = false;
    *image = g_steal_pointer(&d->next);
    qemu_mutex_unlock(&d->lock);
    return changed;
}

/* Without a surface, QEMU reports that the display is not active. */
static void update_console(void *opaque)
{
    VeuDisplayState *d = opaque;
    pixman_image_t *image;

    if (!take_image(d, &image)) {
        return;
    }
    dpy_gfx_replace_surface(d->console,
                            image ? qemu_create_displaysurface_pixman(image) :
                                    NULL);
    dpy_gfx_update_full(d->console);
    drop_image(&image);
}

static const GraphicHwOps veu_display_ops = {
    .gfx_update = update_console,
};

/* ---- the type ---- */

static PCIDeviceClass *parent_class(void)
{
    return PCI_DEVICE_CLASS(object_class_by_name(TYPE_VEU));
}

static void veu_display_realize(PCIDevice *pci, Error **errp)
{
    ERRP_GUARD();
    VeuDisplayState *d = VEU_DISPLAY(pci);

    parent_class()->realize(pci, errp);
    if (!*errp) {
        d->console = graphic_console_init(DEVICE(pci), 0, &veu_display_ops, d);
    }
}

static void veu_display_exit(PCIDevice *pci)
{
    parent_class()->exit(pci);
    graphic_console_close(VEU_DISPLAY(pci)->console);
}

static void veu_display_instance_init(Object *obj)
{
    qemu_mutex_init(&VEU_DISPLAY(obj)->lock);
    VEU(obj)->screen = &veu_display_screen;
}

static void veu_display_instance_finalize(Object *obj)
{
    VeuDisplayState *d = VEU_DISPLAY(obj);

    drop_image(&d->frame);
    drop_image(&d->next);
    qemu_mutex_destroy(&d->lock);
}

static void veu_display_class_init(ObjectClass *klass,
                                   VEU_CLASS_CONST void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);

    pc->realize = veu_display_realize;
    pc->exit = veu_display_exit;
    dc->desc = "virtual GPU execution unit with a display";
    dc->hotpluggable = false;
    clear_bit(DEVICE_CATEGORY_MISC, dc->categories);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
}

static const TypeInfo veu_display_info = {
    .name = TYPE_VEU_DISPLAY,
    .parent = TYPE_VEU,
    .instance_size = sizeof(VeuDisplayState),
    .instance_init = veu_display_instance_init,
    .instance_finalize = veu_display_instance_finalize,
    .class_init = veu_display_class_init,
};

void veu_display_register_type(void)
{
    type_register_static(&veu_display_info);
}
