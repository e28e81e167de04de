ALTER TABLE notes ADD COLUMN text VARCHAR(200) DEFAULT '' NOT NULL;

CREATE INDEX notes_user ON notes (user_id);

INSERT INTO notes (id, user_id, text) VALUES (11, 1, 'of Ada'), (21, 2, 'of Ben');
