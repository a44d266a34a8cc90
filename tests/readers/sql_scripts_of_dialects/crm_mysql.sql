# CRM import checks
-- owner: crm-team@shop.example
USE crm_stage;
SET @max_age := 120;

-- CRM_01: e-mail address looks wrong
SELECT id, email FROM stg_contact WHERE email NOT REGEXP '^[^@ ]+@[^@ ]+[.][a-z]+$';

-- CRM_02: birthday in the future or more than 120 years ago
SELECT COUNT(*) FROM stg_contact WHERE birthday > CURDATE() OR birthday < '1900-01-01';

SELECT SUM(IF(country IS NULL OR country = '', 1, 0)) AS crm_03_country_missing,
       SUM(gender NOT IN ('m', 'f', 'x')) AS crm_04_gender,
       COUNT(*) - COUNT(phone) AS crm_05_phone_missing
FROM stg_contact;

SELECT 'crm_06' AS rule_name, COUNT(*) AS failed FROM stg_contact WHERE CHAR_LENGTH(zip) > 10
UNION ALL
SELECT 'crm_07', COUNT(*) FROM stg_contact WHERE `opt in` NOT IN (0, 1)
UNION ALL
SELECT 'crm_08', COUNT(*) FROM stg_contact WHERE score NOT BETWEEN 0 AND 100;

-- CRM_09: duplicate contacts
SELECT email, COUNT(*) c FROM stg_contact WHERE email IS NOT NULL GROUP BY email HAVING c > 1;

-- CRM_10: contact of a company that is not there
SELECT c.id FROM stg_contact c LEFT JOIN company k ON k.id = c.company_id WHERE k.id IS NULL;

INSERT INTO contact_errors (id, code, msg)
SELECT id, 'CRM_11', 'last name is empty' FROM stg_contact WHERE last_name IS NULL OR TRIM(last_name) = '';
DELETE FROM stg_contact WHERE last_name IS NULL OR TRIM(last_name) = '';

SELECT id FROM stg_contact WHERE status = = 'new';

DELIMITER $$
CREATE TRIGGER contact_bi BEFORE INSERT ON contact FOR EACH ROW
BEGIN
  IF NEW.discount < 0 OR NEW.discount > 50 THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'CRM_13 discount out of range';
  END IF;
END$$
DELIMITER ;

CREATE TABLE contact_tag (
  contact_id INT UNSIGNED NOT NULL,
  tag ENUM('hot', 'warm', 'cold') NOT NULL,
  weight DECIMAL(4,1) CHECK (weight <= 10),
  UNIQUE KEY uk_contact_tag (contact_id, tag),
  CONSTRAINT fk_tag_contact FOREIGN KEY (contact_id) REFERENCES contact (id)
) ENGINE=InnoDB;

UPDATE stg_contact SET is_valid = 0, err = 'CRM_19' WHERE last_order_dt < first_order_dt;
ANALYZE TABLE stg_contact;
OPTIMIZE TABLE contact;
