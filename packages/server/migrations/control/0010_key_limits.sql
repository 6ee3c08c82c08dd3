-- What a limited key may do; null: all its account may. Servers that do not know the column take limited keys for unlimited
-- ones: limit no key before every gateway runs this version.
ALTER TABLE control.access_keys ADD COLUMN limits jsonb;
