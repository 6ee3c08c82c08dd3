/** What the catalogs of PostgreSQL are asked about a schema, for the text of schema-text.ts. */
export interface Table {
  readonly oid: number;
  readonly name: string;
  /** `PARTITION BY …` without the keyword; null for other tables. */
  readonly partitioning: string | null;
  readonly options: readonly string[];
  readonly rows: number;
}

export interface Column {
  readonly table: number;
  readonly name: string;
  readonly type: string;
  /** What stands after the type, each as it is written, or null. */
  readonly attributes: readonly (string | null)[];
}

/** A constraint, an index, a trigger or a partition of a table. */
export interface Part {
  readonly table: number;
  readonly name: string;
  readonly text: string;
  readonly comment: string | null;
}

export const TABLES = `
  SELECT c.oid::integer, n.nspname || '.' || c.relname AS name, pg_get_partkeydef(c.oid) AS partitioning,
         coalesce(c.reloptions, '{}') AS options,
         (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I.%I', n.nspname, c.relname), true, true, '')))[1]
           ::text::integer AS rows
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY n.nspname <> $1[1], n.nspname COLLATE "C", c.relname COLLATE "C"`;

export const COLUMNS = `
  SELECT a.attrelid::integer AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, ARRAY[
    (SELECT 'COLLATE "' || l.collname || '"' FROM pg_collation l WHERE l.oid = a.attcollation AND a.attcollation <> t.typcollation),
    CASE WHEN a.attstorage <> t.typstorage THEN
      'STORAGE ' || CASE a.attstorage WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' WHEN 'p' THEN 'PLAIN' ELSE 'EXTENDED' END END,
    CASE WHEN a.attnotnull THEN 'NOT NULL' END,
    CASE WHEN a.attidentity <> '' THEN 'GENERATED ' || CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END || ' AS IDENTITY' ||
      CASE WHEN s.seqstart <> 1 THEN ' (START WITH ' || s.seqstart || ')' ELSE '' END END,
    CASE WHEN a.attgenerated <> '' THEN 'GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') STORED'
         ELSE 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END
  ] AS attributes
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  LEFT JOIN pg_depend o ON o.refobjid = a.attrelid AND o.refobjsubid = a.attnum AND o.deptype = 'i' AND o.classid = 'pg_class'::regclass
  LEFT JOIN pg_sequence s ON s.seqrelid = o.objid
  WHERE a.attrelid = ANY ($1) AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY a.attnum`;

// PostgreSQL 18 has a row for each NOT NULL, too.
export const CONSTRAINTS = `
  SELECT conrelid::integer AS table, conname AS name, pg_get_constraintdef(oid) AS text, NULL AS comment
  FROM pg_constraint WHERE conrelid = ANY ($1) AND contype IN ('p', 'u', 'f', 'c', 'x')
  ORDER BY array_position('{p,u,f,x,c}', contype::text), conname COLLATE "C"`;

export const INDEXES = `
  SELECT i.indrelid::integer AS table, c.relname AS name,
         replace(replace(pg_get_indexdef(i.indexrelid), ' USING btree', ''), ' ON ONLY ', ' ON ') AS text, NULL AS comment
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = ANY ($1) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u', 'x'))
  ORDER BY c.relname COLLATE "C"`;

export const TRIGGERS = `
  SELECT tgrelid::integer AS table, tgname AS name, pg_get_triggerdef(oid) AS text, obj_description(oid, 'pg_trigger') AS comment
  FROM pg_trigger WHERE tgrelid = ANY ($1) AND NOT tgisinternal
  ORDER BY tgname COLLATE "C"`;

// Those of days come and go.
export const PARTITIONS = `
  SELECT i.inhparent::integer AS table, c.relname AS name,
         format('CREATE TABLE %s PARTITION OF %s %s%s', c.oid::regclass, i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid),
                ' WITH (' || nullif(array_to_string(coalesce(c.reloptions, '{}') || ARRAY(SELECT 'toast.' || unnest(t.reloptions)), ', '), '') || ')')
           AS text,
         (SELECT string_agg(format('ALTER COLUMN %I SET STORAGE %s', a.attname, CASE a.attstorage WHEN 'e' THEN 'EXTERNAL' ELSE a.attstorage::text END), ', ')
          FROM pg_attribute a JOIN pg_attribute p ON p.attrelid = i.inhparent AND p.attname = a.attname
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND a.attstorage <> p.attstorage) AS comment
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid LEFT JOIN pg_class t ON t.oid = c.reltoastrelid
  WHERE i.inhparent = ANY ($1) AND c.relkind = 'r' AND c.relname !~ '_\\d{8}$'
  ORDER BY c.relname COLLATE "C"`;

export const FUNCTIONS = `
  SELECT 0 AS table, p.oid::regprocedure::text AS name, obj_description(p.oid, 'pg_proc') AS comment, CASE p.prokind
    WHEN 'a' THEN (
      SELECT format('CREATE AGGREGATE %s (SFUNC = %s, STYPE = %s, INITCOND = %L)', p.oid::regprocedure, g.aggtransfn, g.aggtranstype::regtype, g.agginitval)
      FROM pg_aggregate g WHERE g.aggfnoid = p.oid)
    ELSE replace(pg_get_functiondef(p.oid), 'CREATE OR REPLACE ', 'CREATE ') END AS text
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = ANY ($1)
  ORDER BY n.nspname <> $1[1], n.nspname COLLATE "C", p.prokind = 'a', p.proname COLLATE "C"`;

/** What schema-text.ts does not know how to write, so that nothing is left out unseen. */
export const UNKNOWN = `
  SELECT format('%s %s', c.relkind, c.oid::regclass) AS name FROM pg_class c
  WHERE c.relnamespace = ANY ($1::text[]::regnamespace[]) AND c.relkind NOT IN ('r', 'p', 'i', 'I')
    AND NOT (c.relkind = 'S' AND EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'i'))
  UNION ALL
  SELECT format('type %s', oid::regtype) FROM pg_type
  WHERE typnamespace = ANY ($1::text[]::regnamespace[]) AND typtype <> 'c' AND typcategory <> 'A'`;
