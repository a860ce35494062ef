import { describe, expect, test } from 'vitest';
import { type FoundRepository, type KnownRepository, planRepositories } from './plan-repositories.ts';

const now = new Date('2026-02-01T12:00:00Z');
const pushedAt = new Date('2026-01-01T00:00:00Z');
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

function found(change: Partial<FoundRepository> = {}): FoundRepository {
  return { forge_id: '1', path: 'acme/deploy', pushed_at: pushedAt, excluded: null, ...change };
}

function known(change: Partial<KnownRepository> = {}): KnownRepository {
  return {
    id: 11,
    forge_id: '1',
    path: 'acme/deploy',
    pushed_at: pushedAt,
    read_push: pushedAt,
    unlisted_since: null,
    unlisted_reason: null,
    moved_path: null,
    removal: null,
    is_removed: false,
    has_succeeded: true,
    has_missing: false,
    open_run: null,
    ...change,
  };
}

function plan(
  list: readonly FoundRepository[],
  jobs: readonly KnownRepository[],
  options: Partial<Parameters<typeof planRepositories>[2]> = {},
) {
  return planRepositories(list, jobs, {
    forge: 'github',
    isComplete: true,
    now,
    ...options,
  });
}

const nothing = { created: [], listed: [], missed: [], held: [], removed: [], due: [], unchanged: [] };

describe('a listed repository', () => {
  test('gets a job and a scan if it is new', () => {
    expect(plan([found()], [])).toEqual({
      ...nothing,
      created: [found()],
      due: [{ forge_id: '1', readPush: pushedAt }],
    });
  });

  test('gets one job if the list repeats it', () => {
    expect(plan([found(), found()], []).created).toHaveLength(1);
  });

  test('gets no job if the filter excludes it', () => {
    expect(plan([found({ excluded: 'archived' })], [])).toEqual(nothing);
  });

  test('is not scanned if nothing was pushed', () => {
    expect(plan([found()], [known()])).toEqual({ ...nothing, unchanged: [11] });
  });

  test('is scanned after a push', () => {
    const pushed = before(1);
    expect(plan([found({ pushed_at: pushed })], [known()])).toEqual({
      ...nothing,
      listed: [{ id: 11, path: 'acme/deploy', pushed_at: pushed, isRenamed: false, isBack: false }],
      due: [{ forge_id: '1', readPush: pushed }],
    });
  });

  test.each([
    ['its last scan failed', { has_succeeded: false }],
    ['items are missing, so that another scan is required', { has_missing: true }],
    ['the options changed', { read_push: null }],
  ])('is scanned if %s', (_, change) => {
    expect(plan([found()], [known(change)])).toMatchObject({ due: [{ forge_id: '1' }], unchanged: [] });
  });

  test('is scanned if the time of its last push is unknown', () => {
    const unknown = { pushed_at: null };
    expect(plan([found(unknown)], [known({ ...unknown, read_push: null })])).toMatchObject({
      due: [{ forge_id: '1', readPush: null }],
      unchanged: [],
    });
  });

  test.each([
    ['github', 0.9],
    ['gitea', 0.9],
    ['gitlab', 64],
  ] as const)(
    'is scanned again after the next list if %s can report the same time for a second push',
    (forge, minutes) => {
      const pushed = before(minutes);
      expect(plan([found({ pushed_at: pushed })], [known()], { forge }).due).toEqual([
        { forge_id: '1', readPush: null },
      ]);
    },
  );

  test('is not scanned until the next list if a scan is running, because that scan can have begun before the push', () => {
    expect(plan([found({ pushed_at: before(1) })], [known({ open_run: 'in_progress' })])).toMatchObject({
      due: [],
      unchanged: [],
    });
  });

  test('is not considered scanned while its scan is queued', () => {
    expect(plan([found()], [known({ open_run: 'queued' })])).toMatchObject({ due: [], unchanged: [] });
  });

  test('keeps its job when it is renamed', () => {
    expect(plan([found({ path: 'acme/delivery' })], [known()])).toEqual({
      ...nothing,
      listed: [{ id: 11, path: 'acme/delivery', pushed_at: pushedAt, isRenamed: true, isBack: false }],
      due: [{ forge_id: '1', readPush: pushedAt }],
    });
  });

  test('gets a separate job if it has the path of a removed repository', () => {
    expect(plan([found({ forge_id: '2' })], [known()])).toMatchObject({
      created: [{ forge_id: '2' }],
      missed: [{ id: 11, excluded: null, movedPath: null }],
    });
  });

  test('is marked as found again if an earlier list missed it', () => {
    const jobs = [known({ unlisted_since: before(90), is_removed: true })];
    expect(plan([found()], jobs)).toMatchObject({
      listed: [{ id: 11, isBack: true }],
      due: [{ forge_id: '1' }],
      removed: [],
      held: [],
    });
  });
});

describe('a missing repository', () => {
  test('keeps its state if the list is incomplete', () => {
    const jobs = [null, 'held', 'confirmed'] as const;
    for (const removal of jobs)
      expect(plan([], [known({ unlisted_since: before(90), removal })], { isComplete: false })).toEqual(
        nothing,
      );
  });

  test('is marked as missing after the first complete list', () => {
    expect(plan([], [known()])).toEqual({
      ...nothing,
      missed: [{ id: 11, excluded: null, movedPath: null }],
    });
  });

  test('does not await a confirmation if the second list follows the first within an hour', () => {
    expect(plan([], [known({ unlisted_since: before(59) })])).toEqual(nothing);
  });

  test('awaits a confirmation after a second list', () => {
    expect(plan([], [known({ unlisted_since: before(60) })])).toEqual({ ...nothing, held: [11] });
  });

  test('is removed after the confirmation', () => {
    expect(plan([], [known({ unlisted_since: before(60), removal: 'confirmed' })])).toEqual({
      ...nothing,
      removed: [11],
    });
  });

  test('is not removed by the confirmation of other repositories', () => {
    const unlisted = { unlisted_since: before(60) };
    const jobs = [
      known({ ...unlisted, removal: 'confirmed' }),
      known({ ...unlisted, id: 12, forge_id: '2' }),
      known({ ...unlisted, id: 13, forge_id: '3', removal: 'held' }),
      known({ id: 14, forge_id: '4' }),
    ];
    expect(plan([], jobs)).toEqual({
      ...nothing,
      removed: [11],
      held: [12],
      missed: [{ id: 14, excluded: null, movedPath: null }],
    });
  });

  test('is not removed twice', () => {
    const jobs = [known({ unlisted_since: before(60), is_removed: true })];
    expect(plan([], jobs)).toEqual(nothing);
  });

  test('awaits a confirmation if the filter excludes it, and keeps the reason', () => {
    expect(plan([found({ excluded: 'archived' })], [known()]).missed).toEqual([
      { id: 11, excluded: 'archived', movedPath: null },
    ]);
    expect(
      plan(
        [found({ excluded: 'archived' })],
        [known({ unlisted_since: before(60), unlisted_reason: 'archived' })],
      ),
    ).toEqual({ ...nothing, held: [11] });
  });
});

describe('a repository that was moved out of the group', () => {
  const moved = found({ path: 'other/deploy', excluded: 'moved' });
  const missed = { unlisted_since: before(90) };
  const known90 = known({ ...missed, unlisted_reason: 'moved', moved_path: 'other/deploy' });

  test('gets its new path, and awaits a confirmation', () => {
    const expected = {
      ...nothing,
      missed: [{ id: 11, excluded: 'moved', movedPath: 'other/deploy' }],
      held: [11],
    };
    expect(plan([moved], [known(missed)])).toEqual(expected);
    expect(plan([moved], [known(missed)], { isComplete: false })).toEqual(expected);
  });

  test('keeps its new path until it is moved again or back', () => {
    expect(plan([moved], [known90])).toEqual({ ...nothing, held: [11] });
    expect(plan([], [known90]).missed).toEqual([]);
    expect(plan([{ ...moved, path: 'third/deploy' }], [known90]).missed).toEqual([
      { id: 11, excluded: 'moved', movedPath: 'third/deploy' },
    ]);
    expect(plan([found()], [known90])).toMatchObject({ missed: [], listed: [{ id: 11, isBack: true }] });
  });

  test('awaits another confirmation if the first one was given before the move was known', () => {
    expect(plan([moved], [known({ ...missed, removal: 'confirmed' })])).toMatchObject({
      held: [11],
      removed: [],
    });
    expect(plan([moved], [{ ...known90, removal: 'confirmed' }])).toMatchObject({ held: [], removed: [11] });
  });
});
