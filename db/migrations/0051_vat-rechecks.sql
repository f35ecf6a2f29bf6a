CREATE INDEX "vat_number_checks_answered" ON "vat_number_checks" USING btree ("checked_at") WHERE "vat_number_checks"."status" <> 'unknown';--> statement-breakpoint
-- numbers that were given before the register was asked: the next scheduled check asks about them
INSERT INTO vat_number_checks (number, status, created_at, updated_at)
SELECT DISTINCT prefix || CASE WHEN starts_with(plain, prefix) THEN substr(plain, 3) ELSE plain END, 'unknown', now(), 'epoch'::timestamptz
FROM (
  SELECT CASE users.country WHEN 'GR' THEN 'EL' ELSE users.country END AS prefix,
    regexp_replace(upper(tax_number), '[^A-Z0-9+*]', '', 'g') AS plain
  FROM billing_details JOIN users ON users.id = billing_details.user_id
  WHERE users.country IN ('AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT',
    'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK')
) given
WHERE CASE WHEN starts_with(plain, prefix) THEN substr(plain, 3) ELSE plain END ~ '^[A-Z0-9+*]{2,12}$'
ON CONFLICT DO NOTHING;
