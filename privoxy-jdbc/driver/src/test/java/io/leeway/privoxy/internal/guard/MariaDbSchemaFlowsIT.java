package io.leeway.privoxy.internal.guard;

import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabases;
import java.util.List;

class MariaDbSchemaFlowsIT extends SchemaFlows {

    @Override
    DatabaseServer server() {
        return TestDatabases.mariadb();
    }

    @Override
    List<String> flows() {
        return List.of(
                "ALTER TABLE users ADD COLUMN shown varchar(100) GENERATED ALWAYS AS (email) STORED",
                "ALTER TABLE users ADD COLUMN (a INT, shown varchar(100) AS (email))",
                "ALTER TABLE users ADD shown varchar(100) AS (email) VIRTUAL",
                "ALTER TABLE users MODIFY note varchar(100) AS (email) PERSISTENT",
                "CREATE TABLE later (id BIGINT, email TEXT, name TEXT AS (email))",
                "ALTER TABLE users ADD COLUMN shown varchar(100) DEFAULT (email)",
                "ALTER TABLE users ADD COLUMN shown varchar(100) DEFAULT (CONCAT(`email`, 'x'))",
                "ALTER TABLE users ALTER COLUMN note SET DEFAULT (email)",
                "CREATE TABLE later (id BIGINT, email VARCHAR(10), name VARCHAR(10) DEFAULT (email))",
                "ALTER TABLE users MODIFY name VARCHAR(3) NOT NULL",
                "ALTER TABLE users MODIFY COLUMN name VARCHAR(100) COLLATE utf8mb4_bin",
                "ALTER TABLE users MODIFY salary TINYINT NOT NULL",
                "ALTER TABLE posts MODIFY author_id BOOLEAN NOT NULL",
                "ALTER TABLE users MODIFY id BIGINT AFTER name",
                "ALTER TABLE users MODIFY id BIGINT UNSIGNED",
                "ALTER TABLE users CONVERT TO CHARACTER SET latin1",
                "ALTER TABLE users ADD CHECK (salary < 15)",
                "ALTER TABLE users ADD COLUMN y INT CHECK (salary < 15)",
                "ALTER TABLE users PARTITION BY RANGE (salary) (PARTITION p VALUES LESS THAN (15))",
                "ALTER TABLE users TRUNCATE PARTITION p",
                "CREATE TRIGGER t BEFORE INSERT ON users FOR EACH ROW SET NEW.name = NEW.email");
    }

    @Override
    List<String> migrations() {
        return List.of(
                "CREATE TABLE things (id BIGINT AUTO_INCREMENT PRIMARY KEY, n INT CHECK (n > 0), v VARCHAR(20),"
                        + " made TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, KEY by_v (v(5)))",
                "ALTER TABLE things ADD COLUMN kind VARCHAR(10) DEFAULT 'a' NOT NULL AFTER n, ADD other INT DEFAULT (1 + 1)",
                "ALTER TABLE things MODIFY n BIGINT NULL",
                "ALTER TABLE others MODIFY COLUMN n INT DEFAULT 0",
                "ALTER TABLE things ALTER COLUMN n SET DEFAULT 1",
                "CREATE UNIQUE INDEX things_kind ON things (kind, n)",
                "CREATE INDEX things_v ON things (v(3)) USING BTREE",
                "ALTER TABLE things ADD INDEX by_n (n) USING BTREE",
                "ALTER TABLE others ADD CONSTRAINT others_fk FOREIGN KEY (id) REFERENCES users (id)",
                "ALTER TABLE things DROP COLUMN other");
    }
}
