import { expect, test } from 'vitest';
import { runSteps } from '../../../../tests/helpers/finish-steps.ts';
import { isLong } from '../../../../tests/helpers/long-tests.ts';
import { createRepositoryModel } from '../../../../tests/helpers/repository-model.ts';
import { type FoundIdentity, pairItems, type StoredIdentity } from '../model/pair-items.ts';

const sequences = isLong ? 2_000 : 150;
const commits = 12;

/** Returns numbers between 0 and 1 that depend only on the seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test(`in ${sequences} random sequences of repository changes, no item is confused with another, lost, or ended without a reason`, () => {
  // Only the long form tries new sequences in each run.
  const seed = Number(process.env['PACEKEEPER_SEED'] ?? (isLong ? Date.now() % 1_000_000 : 1));
  process.stdout.write(`seed ${seed}\n`);
  const counts = { takeovers: 0, lost: 0, endedWithoutReason: 0, kept: 0, ended: 0, unread: 0 };
  const faults: string[] = [];
  for (let sequence = 0; sequence < sequences; sequence++) {
    const model = createRepositoryModel(createRandom(seed + sequence));
    const history: string[] = [];
    let stored: StoredIdentity[] = [];
    const uidOf = new Map<number, number>();
    let nextId = 1;
    for (let commit = 1; commit <= commits; commit++) {
      model.commit();
      const scan = model.scan();
      history.push(`${commit}: ${scan.log.join(', ')}`);
      const found = scan.items.map(
        ({ item, blob }, number): FoundIdentity => ({
          sequence: 1,
          number,
          key: item.key,
          path: item.place.file,
          blob,
          artifact_kind: item.artifact.kind,
          artifact_name: item.artifact.name,
          artifact_purl: item.artifact.purl,
          version: item.version,
          version_state: item.version_state,
          reason: item.reason,
          followed: null,
        }),
      );
      const { paired, missingIds } = runSteps(pairItems(stored, found, (path) => scan.unread.has(path)));
      const idOf = new Map([...uidOf].map(([id, uid]) => [uid, id]));
      const fault = (kind: 'takeovers' | 'lost' | 'endedWithoutReason', what: string) => {
        counts[kind] += 1;
        faults.push(`${kind} with seed ${seed + sequence}: ${what}\n${history.join('\n')}`);
      };
      const next: StoredIdentity[] = [];
      for (const [at, each] of paired.entries()) {
        const { uid, item } = scan.items[at]!;
        const known = idOf.get(uid);
        if (each.id !== null && uidOf.get(each.id) !== uid)
          fault('takeovers', `item ${each.id} became ${item.artifact.name} in ${each.path}`);
        else if (each.id === null && known !== undefined)
          fault('lost', `item ${known} (${item.artifact.name}) is new in ${each.path}`);
        else if (each.id !== null) counts.kept += 1;
        const id = each.id ?? nextId++;
        uidOf.set(id, uid);
        next.push({ ...each, id, status: 'accepted', is_missing: false });
      }
      const missing = new Set(missingIds);
      for (const item of stored.filter(({ id }) => missing.has(id))) {
        if (item.status === 'gone') next.push(item);
        else if (scan.unread.has(item.path)) {
          counts.unread += 1;
          next.push(item);
        } else {
          counts.ended += 1;
          if (scan.present.has(uidOf.get(item.id)!))
            fault('endedWithoutReason', `item ${item.id} in ${item.path}`);
          next.push({ ...item, status: 'gone', is_missing: true });
        }
      }
      stored = next;
    }
  }
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect(faults.slice(0, 3)).toEqual([]);
  expect(counts).toMatchObject({ takeovers: 0, lost: 0, endedWithoutReason: 0 });
  expect(counts.kept).toBeGreaterThan(sequences * 20);
  expect(Math.min(counts.ended, counts.unread)).toBeGreaterThan(sequences / 2);
}, 600_000);
