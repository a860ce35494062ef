import { expect, test } from 'vitest';
import type { EmbeddedPostgresProblem } from './embedded-postgres-error.ts';
import { explainPostgresFailure, isStillExiting } from './explain-postgres-failure.ts';

function check(output: string, problem: EmbeddedPostgresProblem, message: RegExp) {
  const error = explainPostgresFailure(output, '/srv/data');
  expect({ problem: error.problem, message: error.message }).toEqual({
    problem,
    message: expect.stringMatching(message) as string,
  });
}

const at = '2026-11-21 08:14:17.221 UTC [15075] ';

test('the error for a full disk suggests freeing up space', () =>
  check(
    `${at}PANIC:  could not write to file "pg_wal/xlogtemp.30": No space left on device\n${at}LOG:  shutting down`,
    'disk_full',
    /^The disk that holds \/srv\/data is full\. Free up space/,
  ));

test('the error for a full disk during initdb suggests freeing up space', () =>
  check(
    'creating configuration files ... initdb: error: could not write file "x": No space left on device\n',
    'disk_full',
    /is full\. Free up space/,
  ));

test('an unwritable directory is reported with its path and the variable to set', () =>
  check(
    `${at}FATAL:  could not open file "global/pg_control": Permission denied`,
    'folder_not_usable',
    /\/srv\/data: could not open file "global\/pg_control": Permission denied\. Make the directory writable or set PACEKEEPER_DATA_DIR/,
  ));

test('a user without a passwd entry is reported with the alternative DATABASE_URL', () =>
  check(
    'initdb: error: could not look up effective user ID 12345: user does not exist',
    'folder_not_usable',
    /\/etc\/passwd.*DATABASE_URL/,
  ));

test('data of another PostgreSQL version is reported as other_major_version', () =>
  check(
    `${at}FATAL:  database files are incompatible with server\n${at}DETAIL:  The data directory was initialized by PostgreSQL version 17, which is not compatible with this version 18.4.`,
    'other_major_version',
    /created by a different PostgreSQL version/,
  ));

test('insufficient memory is reported with the required amount', () =>
  check(
    `${at}FATAL:  could not map anonymous shared memory: Cannot allocate memory`,
    'not_started',
    /Not enough memory.*100 MB/,
  ));

test('any other failure is reported with the line that contains the cause and the path of the log', () =>
  check(
    `${at}LOG:  starting PostgreSQL\n${at}FATAL:  invalid value for parameter "wal_level": "x".\n${at}LOG:  database system is shut down`,
    'not_started',
    /failed to start: invalid value for parameter "wal_level": "x" \(see \/srv\/data\/postgres\.log\)/,
  ));

test('empty output is reported as no output', () => check('', 'not_started', /no output/));

test.each([
  ['pre-existing shared memory block (key 1, ID 2) is still in use', true],
  [
    'lock file "postmaster.pid" already exists\nHINT:  Is another postmaster (PID 9) running in data directory "x"?',
    true,
  ],
  ['No space left on device', false],
])('the output %j shows that a previous server is still shutting down: %s', (output, expected) => {
  expect(isStillExiting(output)).toBe(expected);
});
