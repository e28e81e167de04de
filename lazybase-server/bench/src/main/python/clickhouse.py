"""ClickHouse's engine (chDB) on the same rows, one thread: python3 clickhouse.py ROWS.csv WARM.csv LARGE.csv DIRECTORY

Prints a name, a tab and a figure for each figure. ReplacingMergeTree ordered by the key is what comes nearest to a table with a primary
key: after OPTIMIZE FINAL each key is there once. CPU time is that of the process, as for the others.
"""
import random
import sys
import time

from chdb import session

ROWS, WARM, LARGE, DIRECTORY = sys.argv[1:5]
COLUMNS = "k Int64, ts Int64, u Int32, v Int32, d Float64, s String"


def say(name, value):
    print("figure\t%s\t%.3f" % (name, value), flush=True)


def key(i):
    return (i * 0x9E3779B1) & 0xFFFFFFFF


def load(db, table, path):
    db.query("CREATE TABLE %s (%s) ENGINE = ReplacingMergeTree ORDER BY k" % (table, COLUMNS))
    began = time.process_time()
    wall = time.time()
    db.query("INSERT INTO %s SELECT * FROM file('%s', CSV, '%s')" % (table, path, COLUMNS))
    acknowledged = time.process_time() - began
    db.query("OPTIMIZE TABLE %s FINAL" % table)
    count = int(str(db.query("SELECT count() FROM %s" % table, "CSV")).strip())
    return count, acknowledged, time.process_time() - began, time.time() - wall


def timed(queries):
    times = []
    cpu = time.process_time()
    for sql in queries:
        began = time.time()
        DB.query(sql, "CSV")
        times.append(time.time() - began)
    times.sort()
    return (time.process_time() - cpu) * 1e6 / len(queries), times[len(times) // 2] * 1e6


DB = session.Session(DIRECTORY)
for setting in ("max_threads = 1", "max_insert_threads = 1"):
    DB.query("SET " + setting)
DB.query("CREATE DATABASE IF NOT EXISTS b ENGINE = Atomic")
DB.query("USE b")
load(DB, "warm", WARM)
count, acknowledged, merged, wall = load(DB, "t", ROWS)
say("inserted", count / acknowledged / 1000)
say("merged", count / merged / 1000)
say("merged by the clock", count / wall / 1000)
count, acknowledged, merged, wall = load(DB, "large", LARGE)
say("merged large", count / merged / 1000)
random.seed(3)
points = ["SELECT * FROM t WHERE k = %d" % key(random.randrange(1000000)) for _ in range(600)]
timed(points[:100])
cpu, median = timed(points)
say("point cpu", cpu)
say("point median", median)
ranges = []
for _ in range(300):
    start = int(random.random() * 4e9)
    ranges.append("SELECT count(), sum(v) FROM t WHERE k >= %d AND k < %d" % (start, start + (1 << 32) // 1000))
timed(ranges[:50])
cpu, median = timed(ranges)
say("range cpu", cpu)
say("range median", median)
