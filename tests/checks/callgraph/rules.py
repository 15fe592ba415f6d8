# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls through pointers, entries from outside, and the functions that can end
a process which guests may reach."""

from collections import namedtuple

# Members and tables that are called: names of the functions that are in them
MEMBERS = {
    # hw/veu/eu
    'apply': r'apply_\w+|veu_atomic_f\w+',
    'form': r'veu_form_\w+',
    'fetch': r'fetch_\w+|\w+_fetch|exchange|compare_exchange',
    'broken': r'bad_\w+',
    'classes': r'place_general|decode_(address|predicate|indirect|immediate|'
               r'state)',
    'compute': r'compute_\w+',
    'copies': r'(load|store)_u?int\d+_t_\w+',
    'decoders': r'decode_(lanes|pred|code|destination|source|label|function'
                r'(_address)?|ignored)',
    'integer': r'integer_\w+',
    'real': r'real_\w+',
    'choose_fast': r'veu_fast_\w+',
    'choose_slm': r'veu_slm_\w+',
    'decode': r'decode_(general|indirect|immediate)',
    '.decode': r'(veu_)?decode_(?!general|indirect|immediate)\w+',
    'execute': r'veu_execute_\w+',
    'handler': r'\w+_(1|16|eights)(_masked)?|\w+_scalars|run_staged|'
               r'set_state|\w+_predicates|veu_handler_\w+',
    # a profile's, of the step that it has replaced
    'place->handler': r'\w+_(1|16|eights)(_masked)?|\w+_scalars|run_staged|'
                      r'set_state|\w+_predicates|'
                      r'veu_handler_(?!begin|predicated|both)\w+',
    # its ->alone
    'veu_step_instruction': r'\w+_(1|16|eights)(_masked)?|\w+_scalars|'
                            r'run_staged',
    # Jumps, not calls: from handlers, which macros make, to the next ones
    'VEU_HANDLER_ROW': r'',
    'VEU_NEXT_STEP': r'',
    'VEU_CONTINUE_AT': r'',
    'VEU_CONTINUE_AFTER_MESSAGE': r'',
    'LOGIC': r'',
    'NARROW': r'',
    'GOTO': r'',
    'ALL_HANDLERS': r'',
    'CONTINUE_AFTER_GOTO': r'',
    'PREDICATED': r'',
    'stage->load': r'load_\w+',
    'load': r'load_\w+',
    'stage->compute': r'\w+_(1|16|eights)',
    'stage->store': r'(store|saturate)_\w+',
    'fast': r'(gather|scatter)4?_\w+|(read|write)_(scalar|avx2|avx512)|'
            r'(load|store)_(oword|svm|media)|slm_\w+|fence_fast|'
            r'(addresses|offsets|texels)_(scalar|avx2|avx512)',
    'perform': r'(\w+_fetch|(compare_)?exchange|update_\w+)_lanes',
    'pack_block_clones': r'pack_block_\w+',
    'unpack_block_clones': r'unpack_block_\w+',
    'measure': r'measure_((slm|buffer)_\w+|svm_\w+|lanes|block|fence|nothing)',
    'measure_slm_some_clones': r'measure_slm_some_\w+',
    'measure_buffer_some_clones': r'measure_buffer_some_\w+',
    # GCC says where the function is called that has the call in it
    'compare_exchange': r'apply_\w+|veu_atomic_f\w+',
    'veu_result_float': r'real_\w+',
    'veu_integer_operation': r'integer_\w+',
    'store_qword': r'map_\w+|host_flush|worker_flush',
    # its memory: contexts
    'mem->map': r'map_\w+',
    'mem->note': r'note_\w+',
    'mem->open': r'open_(?!group)\w+',
    # observers: fault-inject's, a profile's
    'o->begin': r'begin_message',
    'next->begin': r'begin_message',
    'end': r'end_message',
    'lane': r'see_lane',
    # hw/veu/device
    'actions': r'take_\w+',
    'bad_field': r'bad_(copy|fence|fill|invalidate|load|timestamp|wait)',
    'binders': r'bind_\w+',
    'conditions': r'is_(equal|not_equal|less|less_equal|greater|greater_equal)',
    'pieces': r'copy|measure|decode',
    'phases': r'veu_launch_(copy|decode)|phase_run',
    'next': r'(copy|fill)_next',
    'run': r'run_(copy|fence|fill|invalidate|load|nop|timestamp|unload|'
           r'wait)|veu_(inject|launch)_run',
    'take': r'take_\w+',
    'write': r'write_(control|counter_control|ring_control|invalidate|'
             r'response|queue|scanout_(control|flip))',
    # its host: QEMU
    'screen->begin': r'begin_frame',
    'host->map': r'host_map|worker_map',
    'host->note': r'host_note|worker_note',
    'host->open': r'host_open|worker_open',
    'blank': r'show_nothing',
    'event': r'host_event',
    'fence': r'host_fence',
    'flush': r'host_flush|worker_flush',
    'interrupt': r'host_interrupt',
    # of states; and of rows, in hw/veu/eu
    'move': r'(get|put)_bytes|(load|store)_rows',
    'now_ns': r'host_now_ns',
    'reset': r'host_reset',
    'row': r'convert_row',
    'run_all': r'host_run_all',
    'share': r'run_share',
    'show': r'show_frame',
    # hw/veu/capture, which is not examined here
    'visit': r'',
    'veu_recorder_event': r'',
    'veu_timeline_event': r'',
    'veu_timeline_interrupt': r'',
    # what tells QOM
    'inspect': r'veu_inspect_\w+',
    'bits': r'tell_bits',
    'close': r'close_group',
    'v->open': r'open_group',
    'number': r'tell_number',
    'profile': r'open_profile',
    'text': r'tell_text',
    # QEMU's variables: its functions, as "mutex-contention" is traced or not
    'qemu_mutex_lock': r'',
    'qemu_mutex_trylock': r'',
    'qemu_cond_wait': r'',
    # a display is a veu
    'exit': r'veu_exit',
    'realize': r'veu_realize',
}

# Pairs that match the patterns but are not calls
NEVER = [
    ('take_action', 'take_action', 'the key "action" is no action'),
    ('execute_observed', 'veu_execute_message', 'messages are performed by the '
     'rows of their table; this one performs an instruction that is a message'),
    ('veu_execute_by_rules', 'veu_execute_message', 'the same'),
    ('see_lane', 'see_lane', 'an observer is never its own next one'),
    ('begin_message', 'begin_message', 'the same'),
    ('end_message', 'end_message', 'the same'),
    ('veu_inject_run', 'veu_inject_run', 'it runs the command that it has '
     'replaced, which the ring has read'),
]

Entry = namedtuple('Entry', 'names what thread guest')

# Functions that QEMU calls, on which thread, and whether a guest can cause the
# call
ENTRIES = [
    Entry('veu_regs_read|veu_regs_write|veu_doorbells_(read|write)',
          'register and doorbell accesses', 'guest CPU', True),
    Entry('veu_write_config', 'configuration space', 'guest CPU', True),
    Entry('memory_begin|memory_commit|section_added|section_removed',
          'changes of the memory map', 'guest CPU', True),
    Entry('unmapped', 'invalidations of a vIOMMU', 'guest CPU', True),
    Entry('veu_reset|machine_sleeps', 'resets, sleep', 'guest CPU', True),
    Entry('veu_exit|veu_display_exit|veu_instance_finalize|'
          'veu_display_instance_finalize', 'unplug', 'guest CPU', True),
    Entry('main_loop_batch|post_causes|alarm_changed|update_console',
          'event notifiers, the console', 'main loop', True),
    Entry('goes_off|time_is_up|run_beat', 'timers', 'main loop', True),
    Entry('vm_state_changed', 'stop and continue', 'main loop', True),
    Entry('(get|put)_model|veu_post_load|has_beat|may_load_beat',
          'migration streams', 'main loop', True),
    Entry('(set|get)_(rules|dir|walk|timeline|profile)|get_live|get_numbered',
          'properties at run time', 'main loop', True),
    Entry('engine_thread', 'the device thread', 'device thread', True),
    Entry('look|done|lost|veu_device_(forget_memory|view_(launch|threads))|'
          'veu_profile_(bytes|finish|place)',
          'hw/veu/capture, of launches that are recorded', 'device thread',
          True),
    Entry('can_receive|receive|connection_changed',
          'the chardev at which gdb connects', 'main loop', False),
    Entry('report_stop', 'an EU thread that has stopped for gdb', 'main loop',
          True),
    Entry('send_bytes|resume|access_memory|may_break|monitor|stop_first',
          'hw/veu/debug, for gdb', 'main loop', False),
    Entry('worker_thread', 'worker threads', 'worker', True),
    Entry('veu_process_ends', 'the end of QEMU', 'main loop', False),
    Entry('veu_realize|veu_display_realize|veu_(display_)?instance_init|'
          r'veu_(\w+_)?class_init|veu_register_types', 'set-up', 'main loop',
          False),
    Entry('loaded|append_device|qemu_plugin_install|register_device_late|'
          'veu_trace_register|choose_once|find_first_rows',
          'loading the plugin', 'main loop', False),
    Entry('veu_encoding_write|veu_shape_find|veu_cpu_has|'
          'veu_instruction_write|veu_vector_(parse|write)|veu_walk_name',
          'none here: tools, or where it is called it is inlined, or its name '
          'is that of a macro\'s argument, too', 'tools', False),
]

# What these functions call, by the file that has the caller: a function that
# guests reach, a pattern of what may end the process, why it does not
REASONS = [
    ('*', 'object_dynamic_cast_assert',
     'casts of our own objects to their own types'),
    ('*', 'object_class_dynamic_cast_assert', 'the same, of classes'),
    ('*', '__assert_fail', 'QEMU\'s inline functions: an RCU lock that is '
     'released was taken; sections of memory are less than 2^64 bytes'),
    ('capture.c', r'g_(malloc0(_n)?|strdup\w*|error_free|file_set_contents)',
     'a host who captures: texts of the host\'s user, and files of at most '
     '100 launches, whose memory docs/capture.md limits'),
    ('dirty.c', 'g_malloc0(_n)?', 'a byte for each page of a RAM block, when '
     'the block is first written: sized by the host\'s configuration'),
    ('dirty.c', 'g_array_append_vals', 'one row for each RAM block'),
    ('display.c', 'g_assertion_message_expr', 'the format is one that the '
     'model has checked against VEU_SCANOUT_FORMATS'),
    ('inject.c', 'g_malloc0(_n)?', 'rules of what to inject, which the user of '
     'the host writes'),
    ('inject.c', 'g_strdup', 'the same'),
    ('introspect.c', 'g_strdup_printf', 'names and texts for QOM, which the '
     'user of the host asks for'),
    ('iotlb.c', 'g_malloc0(_n)?', 'one table of a fixed size'),
    ('profile.c', 'g_(strdup|error_free)', 'names of files, which the user of '
     'the host writes'),
    ('timeline.c', 'g_(strdup|error_free)', 'the same'),
    ('memory.c', 'g_array_append_vals', 'one row for each ROM section of the '
     'memory map'),
]

# Functions of other code that guests make hw/veu/qemu call: a new name has to
# be examined. None ends a process with our arguments, except those in REASONS.
OUTSIDE = [
    ('threads', r'(qemu_(mutex|cond|sem|thread|event)|event_notifier|epoll|'
     r'get_ptr_rcu_reader|rcu_(un)?register)\w*|close'),
    ('time', r'(timer_|qemu_clock_get_ns|clock_gettime|gettimeofday)\w*'),
    ('memory', r'(memory_(region|listener)_|address_space_|flatview_)\w*'),
    ('PCI', r'(pci|pcie|msix)_\w+'),
    ('objects', r'(object|qdev)_\w+|notifier_remove|'
     r'qemu_remove_exit_notifier'),
    ('migration', r'qemu_(get|put)_buffer|runstate_\w+|'
     r'qemu_del_vm_change_state_handler'),
    ('captures', r'veu_(recorder|capture|timeline|profiler)_\w+'),
    ('gdb', r'veu_gdb_\w+|qemu_(bh|chr_fe)_\w+'),
    ('displays', r'(pixman|dpy|graphic_console)_\w+|'
     r'qemu_create_displaysurface_pixman'),
    ('errors and traces', r'(error_\w+|warn_report|qemu_log|'
     r'qemu_get_thread_id)\w*'),
    ('QOM visitors', r'visit_\w+'),
    ('GLib', r'g_(free|array_\w+|malloc0(_n)?|strdup\w*|ascii_strdown|'
     r'strdelimit|str_has_prefix|assertion_message_expr|error_free|'
     r'file_(test|set_contents)|byte_array_unref)'),
    ('numbers', r'qemu_strtou\w+'),
    ('the C library', r'mem(cpy|set|move|cmp)|str(cmp|len|spn)|snprintf|'
     r'fesetround|fmaf?|nearbyintf|sqrtf?|syscall|free|munmap|strchr|'
     r'strtoul|strerror|'
     r'\*?f?open(64)?|f(dopen|write|close)|qemu_write_full|\*?__\w+'),
]

# Functions that take QEMU's RCU read lock, and those that wait for other
# threads: a grace period does not begin before the lock is released, and the
# main loop waits for grace periods
RCU_LOCKS = {'get_ptr_rcu_reader', 'get_rcu_reader'}
WAITS = r'qemu_(mutex_(try)?lock|cond_(timed)?wait|sem_wait|event_wait|' \
        r'thread_join)\w*|event_notifier_\w+|epoll_\w+|g?poll|syscall|' \
        r'(synchronize|drain_call)_rcu'

# Stack that our functions may take, from where QEMU or a thread calls us.
# QEMU's threads have 8 MiB, of which others need more than we do.
STACK_LIMIT_BYTES = 16384
