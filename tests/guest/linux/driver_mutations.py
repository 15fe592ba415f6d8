# SPDX-License-Identifier: GPL-2.0-or-later
"""Rules of the Linux driver and its library, each with what breaks it:
tests/guest/linux/mutations."""

# rule, file of firmware/linux, text, what replaces it; the boot that notices,
# if it is not "q35"
MUTATIONS = [
    ('windows permit writes', 'module/veu_ring.c',
     'window->permissions = VEU_WINDOW_READ | VEU_WINDOW_WRITE;',
     'window->permissions = VEU_WINDOW_READ;', 'windows'),
    ('a ring has its priority', 'module/veu_ring.c',
     'kveu_ring_write(veu, n, VEU_REG_RING_PRIORITY, ring->config.priority);',
     ';'),
    ('a ring has its budget', 'module/veu_ring.c',
     'kveu_ring_write(veu, n, VEU_REG_RING_BUDGET, ring->config.budget);',
     ';'),
    ('a ring has its policy', 'module/veu_ring.c',
     'kveu_ring_write(veu, n, VEU_REG_RING_POLICY, ring->config.policy);',
     ';'),
    ('a ring starts at its head', 'module/veu_ring.c',
     'kveu_ring_write(veu, n, VEU_REG_RING_HEAD, ring->head);', ';'),
    ('a silent fault is reported once for each start', 'module/veu_ring.c',
     '\tring->silent = false;\n', ''),
    ('records without room are counted', 'module/veu_ring.c',
     '\t\t\tring->lost_records++;\n'
     '\tring->lost_records += overflow - ring->overflow;',
     '\t\t\tring->lost_records += 0;\n'
     '\tring->lost_records += overflow - ring->overflow;'),
    ('records that the device lost are counted', 'module/veu_ring.c',
     '\tring->lost_records += overflow - ring->overflow;\n', ''),
    ('the device learns which records were taken', 'module/veu_ring.c',
     '\tvirt_store_release(&ring->shared->fault_head, tail);\n', ''),
    ('no more records than the queue has', 'module/veu_ring.c',
     'min_t(u32, tail - ring->fault_head, VEU_FAULT_QUEUE)',
     'tail - ring->fault_head'),
    ('a fault of the ring itself halts it with any policy',
     'module/veu_ring.c',
     'ring->config.policy == VEU_POLICY_HALT ||\n'
     '\t\t\t fault < VEU_FAULT_COMMAND_OPCODE',
     'ring->config.policy == VEU_POLICY_HALT'),
    ('a stop takes the records', 'module/veu_ring.c',
     '\tkveu_ring_collect(ring);\n'
     '\twake_up_all(&ring->wait);\n'
     '}\n'
     '\n'
     '/**\n'
     ' * kveu_ring_reload',
     '\twake_up_all(&ring->wait);\n'
     '}\n'
     '\n'
     '/**\n'
     ' * kveu_ring_reload'),
    ('a ring that has halted stays so', 'module/veu_ring.c',
     '\tif (drain(veu, n, end)) {\n'
     '\t\tWRITE_ONCE(ring->halted, was_halted(veu, ring));',
     '\tif (drain(veu, n, end)) {\n'
     '\t\tWRITE_ONCE(ring->halted, was_halted(veu, ring) && false);'),
    ('a limit of slots', 'module/veu_ring_calls.c',
     'a->slots > readl(veu->regs + VEU_REG_CAP_RING_SLOTS)', 'false'),
    ('a legal policy', 'module/veu_ring_calls.c',
     'a->policy <= VEU_POLICY_SKIP_COMMAND &&', ''),
    ('a legal priority', 'module/veu_ring_calls.c',
     'a->priority <= VEU_PRIORITY_HIGHEST && !a->reserved', '!a->reserved'),
    ('a high priority is privileged', 'module/veu_ring_calls.c',
     '\tif (a->priority > VEU_PRIORITY_NORMAL && !capable(CAP_SYS_NICE))\n'
     '\t\treturn -EPERM;\n', ''),
    ('the largest budget', 'module/veu_ring_calls.c',
     'a->budget ? min(a->budget, most) : most',
     'a->budget ? a->budget : most'),
    ('the records are not mapped', 'module/veu_ring_calls.c',
     '\tmemory->mapped = mapped;\n', ''),
    ('programs of the process before are unloaded', 'module/veu_ring_calls.c',
     '\terror = unload_programs(file);',
     '\terror = 0; (void)unload_programs;'),
    ('a silent fault is reported once', 'module/veu_ring_calls.c',
     '\tring->silent = true;\n', ''),
    ('lost records are told once', 'module/veu_ring_calls.c',
     '\tring->lost_records = 0;\n', ''),
    ('a resume is no news', 'module/veu_ring_calls.c',
     '\tWRITE_ONCE(ring->reported, a->index);\n', ''),
    ('a reset is no news', 'module/veu_ring_calls.c',
     '\tWRITE_ONCE(ring->reported, 0);\n', ''),
    ('a ring that has not halted runs on', 'module/veu_ring_calls.c',
     '\tif (!ring->halted) {\n'
     '\t\tkveu_ring_start(file);\n'
     '\t\treturn -EINVAL;\n'
     '\t}',
     '\tif (!ring->halted)\n'
     '\t\treturn -EINVAL;'),
    ('a reset clears the shared block', 'module/veu_ring_calls.c',
     '\tmemset(ring->shared, 0, sizeof(*ring->shared));\n'
     '\tring->head = 0;', '\tring->head = 0;'),
    ('poll() without a ring learns of one', 'module/veu_ring_calls.c',
     '\tkveu_ring_start(file);\n'
     '\twake_up_all(&file->ring.wait);\t/* poll() waiters have a ring now */',
     '\tkveu_ring_start(file);', 'no vector'),
    ('an interrupt is for all rings of its vector', 'module/veu_wait.c',
     'n += veu->vectors', 'n += veu->rings'),
    ('an interrupt serves missing pages', 'module/veu_wait.c',
     '\tif (file->space)\n'
     '\t\tkveu_svm_kick(file->space);\n'
     '}\n'
     '\n'
     '/**',
     '\t(void)file;\n'
     '}\n'
     '\n'
     '/**'),
    ('a call looks for missing pages', 'module/veu_wait.c',
     '\t\tif (file->space)\n'
     '\t\t\tkveu_svm_kick(file->space);\n'
     '\t\tview_shared', '\t\tview_shared', 'no vector'),
    ('POLLPRI lasts until all records are taken', 'module/veu_wait.c',
     '!kfifo_is_empty(&ring->faults) ||', ''),
    ('what a wait has reported is no news', 'module/veu_wait.c',
     '\tWRITE_ONCE(waiter->file->ring.reported, view.head);\n', ''),
    ('a wait wakes its ring', 'module/veu_wait.c',
     '\twake_ring(file);\n'
     '\twhile',
     '\t(void)wake_ring;\n'
     '\twhile'),
    ('a halt ends a wait with EIO', 'module/veu_wait.c',
     'a->state == VEU_RING_HALTED ? -EIO : -ETIME', '-ETIME'),
    ('a wait for what is done succeeds', 'module/veu_wait.c',
     '\tif (has_come(a))\n'
     '\t\treturn 0;\n'
     '\treturn a->state', '\treturn a->state'),
    ('indices wrap', 'module/veu_wait.c',
     '(s32)(a->head - a->index) >= 0', 'a->head >= a->index'),
    ('poll() looks again', 'module/veu_wait.c',
     '\tschedule_delayed_work(&file->look, msecs_to_jiffies(ms));\n',
     '\t(void)ms;\n', 'no vector'),
    ('poll() of a device that is gone', 'module/veu_wait.c',
     '\tif (READ_ONCE(veu->dead))\n'
     '\t\treturn EPOLLHUP | EPOLLERR;\n', '', 'surprise removal'),
    ('the limit of all buffers of a file', 'module/veu_buffer.c',
     'file->buffer_bytes >= most_bytes(file) ||\n'
     '\t    bytes > most_bytes(file) - file->buffer_bytes',
     'bytes > most_bytes(file)'),
    ('a buffer that is destroyed does not count', 'module/veu_buffer.c',
     '\tfile->buffer_bytes -= buffer->bytes;\n', ''),
    ('memory that is read is pinned as if written', 'module/veu_buffer.c',
     'FOLL_LONGTERM | FOLL_WRITE |\n'
     '\t\t\t\t  (write ? 0 : FOLL_FORCE)',
     'FOLL_LONGTERM |\n'
     '\t\t\t\t  (write ? FOLL_WRITE : 0)'),
    ('an unpin gives back what it took', 'module/veu_buffer.c',
     '\tatomic_long_sub(count, &buffer->user->locked_vm);\n', ''),
    ('buffers are zero', 'module/veu_buffer.c',
     '__GFP_ZERO |', ''),
    ('handles are not reused at once', 'module/veu_buffer.c',
     'idr_alloc_cyclic', 'idr_alloc'),
    ('mappings go with a buffer', 'module/veu_buffer.c',
     '\tkveu_unmap(file, buffer->number);\n', ''),
    ('a file that shares all memory has no buffers', 'module/veu_buffer.c',
     '\tif (a->reserved || file->mm)\n'
     '\t\treturn -EINVAL;\n'
     '\tnumber',
     '\tif (a->reserved)\n'
     '\t\treturn -EINVAL;\n'
     '\tnumber'),
    ('a part of a buffer begins at its offset', 'module/veu_map.c',
     'map->offset >> PAGE_SHIFT', '0'),
    ('a mapping has its permissions', 'module/veu_map.c',
     'map->permissions);\n'
     '\t\tat',
     'VEU_PAGE_READ | VEU_PAGE_WRITE);\n'
     '\t\tat'),
    ('a mapping that is removed has no entries', 'module/veu_map.c',
     '\tif (file->space)\n'
     '\t\tkveu_space_clear(file->space, map->address,\n'
     '\t\t\t\t map->address + map->bytes, true);\n', ''),
    ('windows go with a buffer', 'module/veu_map.c',
     '\tif (!file->space)\n'
     '\t\tkveu_ring_reload(file);\n'
     '}\n'
     '\n'
     'static u64',
     '}\n'
     '\n'
     'static u64', 'windows'),
    ('buffers are not adjacent', 'module/veu_map.c',
     'at + buffer->bytes + PAGE_SIZE', 'at + buffer->bytes'),
    ('mappings are below those of the driver', 'module/veu_map_calls.c',
     'a->address <= VEU_SPACE_DRIVER - a->bytes &&', ''),
    ('a part is inside its buffer', 'module/veu_map_calls.c',
     'a->memory + a->bytes > buffer->bytes', 'a->memory >= buffer->bytes'),
    ('a file that shares all memory has no mappings', 'module/veu_map_calls.c',
     '!file->space || file->mm', '!file->space'),
    ('a mapping is removed whole', 'module/veu_map_calls.c',
     'map->bytes != a->bytes ||', ''),
    ('mappings of the driver stay', 'module/veu_map_calls.c',
     ' ||\n'
     '\t    a->address >= VEU_SPACE_DRIVER || !file->space', ''),
    ('one page of doorbells', 'module/veu_mmap.c',
     'end == 1', 'end >= 1'),
    ('a mapping ends with its object', 'module/veu_mmap.c',
     'end <= buffer->mapped >> PAGE_SHIFT', 'true'),
    ('a debugger reads a part of a buffer', 'module/veu_mmap.c',
     '(first_page_of(vma) << PAGE_SHIFT) + address', 'address'),
    ('a debugger reads no further than a mapping', 'module/veu_mmap.c',
     'min_t(unsigned long, bytes, vma->vm_end - address)', 'bytes'),
    ('others cannot map a shared file', 'module/veu_mmap.c',
     '\tif (kveu_file_is_foreign(file))\n'
     '\t\terror = -EPERM;\n'
     '\telse if', '\tif'),
    ('no private mappings', 'module/veu_mmap.c',
     '!(vma->vm_flags & VM_SHARED) || ', ''),
    ('a child does not get the ring', 'module/veu_mmap.c',
     '\tif (file->mm)\n'
     '\t\tvm_flags_set(vma, VM_DONTCOPY);\n', ''),
    ('memory is shared before anything else', 'module/veu_file.c',
     '\tif (file->mm || !list_empty(&file->buffers))', '\tif (file->mm)'),
    ('a wait that fails reports what it saw', 'module/veu_file.c',
     '(!error || c->sleeps) &&', '!error &&'),
    ('others cannot use a shared file', 'module/veu_file.c',
     '\tif (kveu_file_is_foreign(file))\n'
     '\t\treturn -EPERM;\n'
     '\tif (_IOC_DIR', '\tif (_IOC_DIR'),
    ('files have different addresses', 'module/veu_file.c',
     'veu->opened++ % VEU_FILE_ADDRESSES * VEU_FILE_STRIDE', '0'),
    ('a thread that ends leaves the ring', 'module/veu_file.c',
     'others_live() || ', '(others_live() && false) || '),
    ('the end of a process frees its ring', 'module/veu_file.c',
     '\tkveu_ring_destroy(file);\n'
     '\tkveu_leave(file);\n'
     '\treturn 0;\n'
     '}\n'
     '\n'
     'static int kveu_release',
     '\tkveu_leave(file);\n'
     '\treturn 0;\n'
     '}\n'
     '\n'
     'static int kveu_release'),
    ('32-bit processes', 'module/veu_file.c',
     '\t.compat_ioctl = compat_ptr_ioctl,\n', ''),
    ('memory that the process gives up is gone', 'module/veu_svm.c',
     '\tkveu_space_clear(&svm->space, range->start, range->end,\n'
     '\t\t\t mmu_notifier_range_blockable(range));\n', ''),
    ('a page that changes meanwhile is looked up again', 'module/veu_svm.c',
     '\tmmu_interval_set_seq(interval, sequence);\n', ''),
    ('a write needs a page that may be written', 'module/veu_svm.c',
     '(!write || pfn & HMM_PFN_WRITE)', 'true'),
    ('a page is faulted in for a write', 'module/veu_svm.c',
     'FAULT_FLAG_REMOTE |\n'
     '\t\t\t\t (write ? FAULT_FLAG_WRITE : 0)', 'FAULT_FLAG_REMOTE'),
    ('a stack grows', 'module/veu_svm.c',
     '\tif (error == -EFAULT && grow_stack(svm->mm, request->address))\n'
     '\t\terror = fault_range(svm, &range, request->address, write);\n',
     '\t(void)grow_stack;\n'),
    ('tables are freed when there is no room', 'module/veu_svm.c',
     '\tif (error == -ENOMEM)\n'
     '\t\terror = kveu_space_drop(space);\n', ''),
    ('pages around end with the address space', 'module/veu_svm.c',
     '\t\t.end = min_t(u64, start + VEU_AROUND_BYTES,\n'
     '\t\t\t     svm->mm->task_size),',
     '\t\t.end = start + VEU_AROUND_BYTES,'),
    ('a page that cannot come is refused', 'module/veu_svm.c',
     'success ? 0 : VEU_RESPONSE_REFUSED', '0'),
    ('a queue begins at its first record', 'module/veu_svm.c',
     '\tsvm->head = 0;\n'
     '\tsvm->epoch++;', '\tsvm->epoch++;'),
    ('memory of devices is a fault', 'module/veu_svm.c',
     '\tif (pfn & HMM_PFN_ERROR && !(pfn & HMM_PFN_VALID))\n'
     '\t\treturn -EFAULT;\n', ''),
    ('pages that the device wrote are dirty', 'module/veu_space.c',
     '\tif (entry & VEU_PAGE_WRITE)\n'
     '\t\tset_page_dirty(page);\n', ''),
    ('an invalidation has ended', 'module/veu_space.c',
     '\treadl(space->veu->regs + VEU_REG_MAGIC);\n', ''),
    ('pages that go are invalidated', 'module/veu_space.c',
     '\tif (first < next)\n'
     '\t\tinvalidate(space, first, next);\n', ''),
    ('an invalidation covers all of a range', 'module/veu_space.c',
     'max(fls64(start ^ (end - 1)), VEU_TABLE_PAGE_BITS)',
     'VEU_TABLE_PAGE_BITS'),
    ('tables that go are invalidated', 'module/veu_space.c',
     '\tinvalidate(space, 0, VEU_SPACE_END);\n', ''),
    ('tables that are freed do not count', 'module/veu_space.c',
     '\tspace->tables--;\n', ''),
    ('each table of a range is made', 'module/veu_space.c',
     'start = next_of(start, 2)', 'start = next_of(start, 3)'),
    ('a range ends with the address space', 'module/veu_space.c',
     '\tend = min(end, VEU_SPACE_END);\n', ''),
    ('a device that goes takes its mappings along', 'module/veu_main.c',
     '\t\tkveu_unmap_all(file);\n', ''),
    ('rings start again after a reset', 'module/veu_main.c',
     '\tlist_for_each_entry(file, &veu->files, node)\n'
     '\t\tkveu_ring_start(file);\n', '\t(void)file;\n'),
    ('waits end with the device', 'module/veu_main.c',
     '\tlist_for_each_entry(file, &veu->files, node)\n'
     '\t\twake_up_all(&file->ring.wait);\n', '\t(void)file;\n'),
    ('the number of a device is free again', 'module/veu_main.c',
     '\tida_free(&kveu_ids, veu->id);\n'
     '\tkveu_device_put(veu);\n'
     '}\n'
     '\n'
     '/*\n'
     ' * Before',
     '\tkveu_device_put(veu);\n'
     '}\n'
     '\n'
     '/*\n'
     ' * Before'),
    ('others may not use a shared file', 'module/veu_gate.c',
     'return mm && mm != current->mm',
     'return mm && mm != current->mm && false'),
    ('calls wait while the device is reset', 'module/veu_gate.c',
     '\twhile (veu->stopped && !veu->dead) {', '\twhile (0) {'),
    ('the self-test compares', 'module/veu_selftest.c',
     '\t\t\treturn -EBADMSG;', '\t\t\treturn 0;', 'a device that lies'),
    ('the self-test finds a wrong bit', 'module/veu_selftest.c',
     '\treturn error ? error : check(test);',
     '\treturn check(test);', 'a device that lies'),
    ('a client that is closed ends its ring', 'lib/client.c',
     '    if (client->svm && client->has_ring) {\n'
     '        veu_client_reset(client);\n'
     '    }\n', ''),
    ('pointers are addresses while a client shares them', 'lib/client.c',
     '    if (client->svm) {\n'
     '        client_map_svm(-1);\n'
     '    }\n', ''),
    ('a client that is closed unmaps its ring', 'lib/client.c',
     '    client_ring_unmap(client);\n', ''),
    ('exec() closes clients', 'lib/client.c',
     'O_RDWR | O_CLOEXEC', 'O_RDWR'),
    ('a client frees its own buffers', 'lib/client_address.c',
     '(*link)->client == client &&\n'
     '            (!memory',
     'client &&\n'
     '            (!memory'),
    ('pointers outside of buffers are no addresses', 'lib/client_address.c',
     'svm_clients ? (uintptr_t)memory : NOWHERE', '(uintptr_t)memory'),
    ('a client that is closed unmaps its buffers', 'lib/client_address.c',
     '        munmap(m->buffer.memory, m->buffer.bytes);\n', ''),
    ('the address of a byte of a buffer', 'lib/client_address.c',
     'm->buffer.address + at', 'm->buffer.address'),
    ('buffers of a client that shares memory are whole pages',
     'lib/client_buffer.c',
     '(argument->bytes + 4095) & ~4095ull', 'argument->bytes'),
    ('... and have legal sizes', 'lib/client_buffer.c',
     '    if (!argument->bytes || argument->bytes > SIZE_MAX - 4095) {\n'
     '        return argument->bytes ? -ENOMEM : -EINVAL;\n'
     '    }\n', ''),
    ('a buffer that is destroyed is unmapped', 'lib/client_buffer.c',
     '    munmap(buffer->memory, buffer->bytes);\n'
     '    buffer->memory = NULL;\n', '    buffer->memory = NULL;\n'),
    ('a buffer that is destroyed is freed', 'lib/client_buffer.c',
     '    return destroy(client, buffer->handle);\n', '    return 0;\n'),
    ('the doorbell is unmapped', 'lib/client_ring.c',
     '    if (client->doorbell) {\n'
     '        munmap(client->doorbell, CLIENT_DOORBELL_BYTES);\n'
     '    }\n', ''),
    ('a command is not longer than the ring', 'lib/client_ring.c',
     '!client->has_ring || command->slots > client->ring.config.slot_count',
     '!client->has_ring'),
    ('a wait without a limit', 'lib/client_ring.c',
     'timeout_ns < UINT64_MAX - ns ? ns + timeout_ns : UINT64_MAX',
     'ns + timeout_ns'),
    ('a lost ring is told apart', 'lib/client_ring.c',
     '    if (error == -EIO && argument.state == VEU_LINUX_LOST) {\n'
     '        return -ECANCELED;\n'
     '    }\n', '', 'a device that lies'),
    ('a command that is run has an interrupt', 'lib/client_ring.c',
     '    command->flags |= VEU_COMMAND_INTERRUPT;\n', ''),
    ('records that are not kept are counted', 'lib/client_ring.c',
     '            kept->lost++;\n', ''),
    ('the newest records are kept', 'lib/client_ring.c',
     '            memmove(kept->records, kept->records + 1,\n'
     '                    kept->count * sizeof(kept->records[0]));\n', ''),
    ('records that the library has read are told', 'lib/client_ring.c',
     '    if (client->kept.count) {\n'
     '        *faults = client->kept;\n'
     '        client->kept = (struct veu_linux_faults){ 0 };\n'
     '        return 0;\n'
     '    }\n', ''),
    ('a reset begins at index 0', 'lib/client_ring.c',
     '        client->ring.tail = 0;\n', ''),
    ('kernels notice a reset', 'lib/client_ring.c',
     '        client->resets++;\n', ''),
    ('each kernel has a handle', 'lib/client_kernel.c',
     '    client->handles = client->handles % HIGHEST_HANDLE + 1;\n',
     '    client->handles = 1;\n'),
    ('what a reset has ended is done', 'lib/client_kernel.c',
     'is_lost(k) || (int32_t)', '(int32_t)'),
    ('memory of a LOAD stays while that is in the ring', 'lib/client_kernel.c',
     '    if (veu_client_tail(k->client) == k->end) {\n'
     '        free_kernel(k);\n'
     '        return;\n'
     '    }\n',
     '    if (true) {\n'
     '        free_kernel(k);\n'
     '        return;\n'
     '    }\n'),
    ('a kernel that is gone stays so', 'lib/client_kernel.c',
     '        k->is_gone = true;\n', ''),
    ('an UNLOAD is put once', 'lib/client_kernel.c',
     '    if (!k->unloading || is_lost(k)) {', '    if (true) {'),
    ('memory of a run that is too small is freed', 'lib/client_kernel.c',
     '        veu_client_buffer_destroy(k->client, &k->memory);\n'
     '    }\n'
     '    error',
     '    }\n'
     '    error'),
    ('a run has room for its NOP', 'lib/client_kernel.c',
     'VEU_KERNEL_SLOTS + 1', 'VEU_KERNEL_SLOTS'),
    ('one run at a time', 'lib/client_kernel.c',
     '    if (!is_done(kernel) || kernel->unloading) {',
     '    if (kernel->unloading) {'),
    ('a run that a reset has ended', 'lib/client_kernel.c',
     'kernel->has_run ? -ECANCELED : 0', '0'),
    ('text is printed when the run is done', 'lib/client_kernel.c',
     '    if (!is_done(kernel)) {\n'
     '        return -EBUSY;\n'
     '    }\n'
     '    return veu_kernel_print', '    return veu_kernel_print'),
]
