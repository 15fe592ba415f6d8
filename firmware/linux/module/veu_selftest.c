// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * veu: the self-test: writing 1 to "selftest" in the device's sysfs folder. The
 * driver acts as its own client, with a buffer and a ring, and makes the device
 * run one message: 16 lanes read 16 squares in reverse order. Other processes
 * continue meanwhile.
 */
#include <linux/device.h>
#include <linux/kstrtox.h>
#include <linux/ktime.h>

#include "veu_driver.h"

#define LANES 16
#define SLOTS 4

/* gather.4 (M1, 16) T5 0x0:ud V32.0 V33.0 */
static const u8 gather[] = {
	0x39, 0x02, 0x00, 0x01, 0x05,		/* ... of the stateless surface */
	0x05, 0x00, 0x00, 0x00, 0x00, 0x00,	/* an immediate, UD, 0 */
	0x20, 0x00, 0x00, 0x00, 0x00, 0x00,	/* V32 from byte 0 on */
	0x21, 0x00, 0x00, 0x00, 0x00, 0x00,	/* V33 */
};

/* The buffer. V32 and V33 are the registers of the payload. */
struct kveu_selftest {
	struct veu_payload_header header;
	struct {
		u32 offsets[LANES];
		u32 data[LANES];
	} registers;
	u32 squares[LANES];
	u32 result[LANES];
};

/* The place of a variable in the register file. */
#define REGISTER(name) (offsetof(struct kveu_selftest, registers.name) - \
			offsetof(struct kveu_selftest, registers))

static void fill_memory(struct kveu_selftest *test)
{
	u32 i;

	test->header.exec_mask = ~0u;
	for (i = 0; i < LANES; i++) {
		test->registers.offsets[i] = LANES - 1 - i;
		test->squares[i] = i * i;
	}
}

static void fill_command(struct veu_command_message *command, dma_addr_t at)
{
	*command = (struct veu_command_message) {
		.header = { VEU_COMMAND_MESSAGE, SLOTS, VEU_COMMAND_INTERRUPT },
		.launch = {
			.code_bytes = sizeof(gather),
			.simd = LANES,
			.grf_bytes = 32,
			.variable_count = 2,
			.payload_address = at,
			.payload_bytes = offsetof(struct kveu_selftest, squares),
			.result_address = at +
				offsetof(struct kveu_selftest, result),
			.result_bytes = sizeof_field(struct kveu_selftest,
						     result),
			.result_offset = REGISTER(data),
			.exec_mask = ~0u,
			.threads = 1,
			.groups = 1,
			.stateless_base = at +
				offsetof(struct kveu_selftest, squares),
			.stateless_bytes = sizeof_field(struct kveu_selftest,
							squares),
		},
		.variables = {
			{ REGISTER(offsets), LANES, VEU_TYPE_UD },
			{ REGISTER(data), LANES, VEU_TYPE_UD },
		},
	};
	memcpy(command->message, gather, sizeof(gather));
}

static struct kveu_selftest *submit(struct kveu_file *file)
{
	struct veu_linux_buffer buffer = { sizeof(struct kveu_selftest) };
	struct veu_linux_ring ring = { SLOTS, VEU_POLICY_HALT };
	struct veu_linux_submit submit = { SLOTS };
	struct kveu_selftest *test;
	int error = kveu_buffer_create(file, &buffer);

	if (!error)
		error = kveu_ring_create(file, &ring);
	if (error)
		return ERR_PTR(error);
	test = kveu_buffer_find(file, buffer.handle)->cpu;
	fill_memory(test);
	fill_command(file->ring.memory->cpu + ring.slots_at, buffer.address);
	kveu_ring_submit(file, &submit);
	return test;
}

static int check(const struct kveu_selftest *test)
{
	u32 i;

	for (i = 0; i < LANES; i++)
		if (READ_ONCE(test->result[i]) != (LANES - 1 - i) *
						  (LANES - 1 - i))
			return -EBADMSG;
	return 0;
}

static int selftest(struct kveu_file *file)
{
	struct veu_linux_wait wait = { .index = SLOTS };
	struct kveu_selftest *test;
	int error = kveu_enter(file);

	if (error)
		return error;
	test = submit(file);
	kveu_leave(file);
	if (IS_ERR(test))
		return PTR_ERR(test);
	wait.deadline_ns = ktime_get_ns() + NSEC_PER_SEC;
	error = kveu_ring_wait(file, &wait);
	return error ? error : check(test);
}

static ssize_t selftest_store(struct device *dev, struct device_attribute *attr,
			      const char *text, size_t count)
{
	struct kveu_file *file;
	ktime_t begin = ktime_get();
	bool run;
	int error = kstrtobool(text, &run);

	if (error || !run)
		return error ? error : count;
	file = kveu_file_open(dev_get_drvdata(dev), NULL);
	if (IS_ERR(file))
		return PTR_ERR(file);
	error = selftest(file);
	kveu_file_close(file);
	if (error)
		dev_err(dev, "self-test failed: %pe\n", ERR_PTR(error));
	else
		dev_info(dev, "self-test passed: a gather of %u lanes, %lld us\n",
			 LANES, ktime_us_delta(ktime_get(), begin));
	return error ? error : count;
}
static DEVICE_ATTR_WO(selftest);

static struct attribute *kveu_attrs[] = {
	&dev_attr_selftest.attr,
	NULL
};

static const struct attribute_group kveu_group = {
	.attrs = kveu_attrs,
};

const struct attribute_group *kveu_groups[] = {
	&kveu_group,
	NULL
};
