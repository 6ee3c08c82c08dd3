-- What a bucket has in the trash, in the order in which its owner sees it: by key, the latest first. A page of it is read
-- from the index alone, also of a key with many versions.
DROP INDEX region.trash_object;
CREATE INDEX trash_object ON region.trash
  (((object ->> 'bucket_id')::bigint), ((object ->> 'key') COLLATE "C"), trashed_at DESC, trash_id DESC)
  WHERE object IS NOT NULL;
