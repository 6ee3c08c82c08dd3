-- What each function and trigger is for. The page docs/reference/database.md is made of these sentences.

COMMENT ON FUNCTION region.put_time_now() IS 'The put time of now, in units of 100 ns.';
COMMENT ON FUNCTION region.blob_time(uuid) IS
  'The time inside a blob''s id (UUID v7), for the rule that old ids may not be committed.';
COMMENT ON FUNCTION region.blob_slot(uuid) IS 'The slot of the inbox into which the bytes of a small blob were put: its id says so.';
COMMENT ON FUNCTION region.midnight_after(integer) IS 'The midnight (UTC) after so many days, as deleteAfterDays counts them.';
COMMENT ON FUNCTION region.restore_status(smallint, timestamptz, timestamptz) IS
  'Whether an archived object can be read: 0 frozen, 1 being restored, 2 restored; null for a class that is never frozen.';
COMMENT ON FUNCTION region.s3_etag(bytea, smallint, text) IS
  'The ETag that S3 shows: the MD5 of the bytes, that of the parts with their number, or a value with a dash that no client takes for an MD5.';

COMMENT ON FUNCTION region.keep_replaced_blob() IS
  'Puts the bytes of an object that is replaced or deleted into the trash, with the row that it had, for undelete.';
COMMENT ON FUNCTION region.keep_moved_blob() IS
  'Puts the bytes of a moved object into the trash without its row: nothing was deleted that could be brought back, but the collector must look.';
COMMENT ON TRIGGER objects_replaced ON region.objects IS 'No statement that gives an object other bytes can forget the old ones.';
COMMENT ON TRIGGER objects_deleted ON region.objects IS 'No statement that deletes an object can forget its bytes.';
COMMENT ON TRIGGER objects_moved ON region.objects IS
  'The same for a statement that says in the setting millpond.removal that it moves the object.';
COMMENT ON FUNCTION region.keep_replaced_segment() IS 'Puts the bytes of a part that was sent again into the trash.';
COMMENT ON TRIGGER upload_parts_replaced ON region.upload_parts IS 'A part that is sent again replaces the one before, whose bytes may not be forgotten.';

COMMENT ON FUNCTION region.count_usage() IS
  'Writes what a change adds to or takes from its bucket as a row of its own, so that no two writers meet, and has the change noted for event rules.';
COMMENT ON TRIGGER objects_usage_added ON region.objects IS 'Counts and notes a new object.';
COMMENT ON TRIGGER objects_usage_removed ON region.objects IS 'Counts and notes a deleted object.';
COMMENT ON TRIGGER objects_changed ON region.objects IS
  'Counts and notes an object with new content, another class or another state of its restore.';
COMMENT ON FUNCTION region.sum_usage() IS 'Adds what a statement changed in the usage of buckets to the usage of the whole region.';
COMMENT ON TRIGGER bucket_usage_added ON region.bucket_usage IS 'Keeps the region''s usage the sum of that of its buckets.';
COMMENT ON TRIGGER bucket_usage_changed ON region.bucket_usage IS 'Keeps the region''s usage the sum of that of its buckets.';
COMMENT ON TRIGGER bucket_usage_removed ON region.bucket_usage IS 'Keeps the region''s usage the sum of that of its buckets.';
COMMENT ON FUNCTION region.count_parts_added() IS 'Counts new parts of unfinished uploads for the quota of their bucket, one row for each bucket.';
COMMENT ON FUNCTION region.count_parts_removed() IS 'Takes removed parts of unfinished uploads off the quota of their bucket.';
COMMENT ON FUNCTION region.count_parts_replaced() IS 'Counts by how much parts grew or shrank that were sent again.';
COMMENT ON FUNCTION region.count_chunks_added() IS 'Counts new chunks of blocks for the quota of the bucket that the block was begun for.';
COMMENT ON FUNCTION region.count_chunks_removed() IS 'Takes removed chunks of blocks off the quota of their bucket.';
COMMENT ON TRIGGER upload_parts_count_added ON region.upload_parts IS 'No statement that adds parts can forget to count them.';
COMMENT ON TRIGGER upload_parts_count_removed ON region.upload_parts IS 'No statement that removes parts can forget to count them.';
COMMENT ON TRIGGER upload_parts_count_replaced ON region.upload_parts IS 'No statement that replaces parts can forget to count the difference.';
COMMENT ON TRIGGER upload_chunks_count_added ON region.upload_chunks IS 'No statement that adds chunks can forget to count them.';
COMMENT ON TRIGGER upload_chunks_count_removed ON region.upload_chunks IS 'No statement that removes chunks can forget to count them.';

COMMENT ON FUNCTION region.forget_bucket() IS 'Deletes what an account has set up for a bucket: styles, rules of images, triggers and event rules.';
COMMENT ON TRIGGER bucket_gate_forgets ON region.bucket_gate IS 'What an account has set up for a bucket goes with the bucket.';

COMMENT ON FUNCTION region.note_change(region.objects, region.objects) IS
  'Finds out what became of an object (created, overwritten, deleted, expired, in another class, restored) and notes it, if its bucket has event rules.';
COMMENT ON FUNCTION region.note_event(region.objects, text, text, jsonb, timestamptz) IS
  'Writes one row for an event of an object, with the rules that select it, if there are any.';
COMMENT ON FUNCTION region.event_facts(region.objects) IS 'What events say of an object, as JSON.';

COMMENT ON FUNCTION region.delivery_endpoint(bigint, boolean, text, text) IS
  'The id of the endpoint of that name, made where it is missing, and no longer retired.';
COMMENT ON FUNCTION region.configure_endpoint(bigint, text, text) IS
  'Gives a configured endpoint its address. What was learnt of the old address says nothing of the new one: what waits goes there.';
COMMENT ON FUNCTION region.add_delivery(uuid, text, bigint, text, boolean, text, text, text, bytea, text, text, text) IS
  'Adds an event in the transaction that caused it and returns its number among those of its entity; without an entity it stands alone.';

COMMENT ON FUNCTION region.ensure_days(text, integer) IS
  'Makes the partitions of a table for the next days, so that no row falls into the default one; a day whose rows lie there already gets none.';
COMMENT ON FUNCTION region.drop_days(text, integer) IS
  'Drops the partitions of a table that are older than so many days, but no day in which a delivery still waits; returns how many.';
COMMENT ON FUNCTION region.drop_task_days(interval) IS
  'Drops the days of tasks that nobody asks about any more and in which nothing is unfinished; returns how many.';

COMMENT ON FUNCTION region.add_figures(jsonb, jsonb) IS 'Two sets of figures added up, name by name.';
COMMENT ON FUNCTION region.higher_figures(jsonb, jsonb) IS 'The higher of two figures, name by name.';
COMMENT ON AGGREGATE region.sum_figures(jsonb) IS 'Adds up counts of many rows.';
COMMENT ON AGGREGATE region.highest_figures(jsonb) IS 'The highest gauges of many rows.';

COMMENT ON FUNCTION region.device_uid() IS 'Writes whose a device is: the account of its namespace.';
COMMENT ON TRIGGER device_uid ON region.devices IS 'A device belongs to the account of its namespace, whatever the statement says that adds it.';

COMMENT ON FUNCTION queue.take_turns(text, text, bigint, bigint) IS
  'Takes consecutive turns of an account in a queue and returns the one before the first; it never waits, and rather gives out turns twice.';
COMMENT ON FUNCTION queue.carry_over(integer) IS
  'Moves jobs from the tables of versions that had pg-boss, at most so many, and returns how many.';
