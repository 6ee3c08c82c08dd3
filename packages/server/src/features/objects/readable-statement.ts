/** Whether the bytes of an object may be read, copied or moved now, as a piece of a statement on its row. */
export const CAN_BE_READ = 'coalesce(region.restore_status(class, restore_ready_at, restore_ends_at), 2) = 2';
