import type { ForgeKind } from '../artifacts/forges.ts';
import { type Exclusion, isNextPushDetectable } from './repository-group.ts';

/** A repository in a list, with the reason if the filter excludes it or if it's no longer in the group. */
export interface FoundRepository {
  forge_id: string;
  /** Path on the host. The path of a moved repository is outside the group. */
  path: string;
  pushed_at: Date | null;
  excluded: Exclusion | null;
}

/** The job of a repository, from an earlier list. */
export interface KnownRepository {
  id: number;
  forge_id: string;
  /** Path from which the name and the URL of the job are derived. */
  path: string;
  pushed_at: Date | null;
  /** The `pushed_at` of the last push that a requested scan certainly includes, or null. */
  read_push: Date | null;
  unlisted_since: Date | null;
  unlisted_reason: Exclusion | null;
  /** Path outside the group, if the repository was moved there. */
  moved_path: string | null;
  /**
   * State of the removal: `held` if it awaits a person's confirmation, and `confirmed` after that. Null if
   * the repository isn't being removed.
   */
  removal: 'held' | 'confirmed' | null;
  is_removed: boolean;
  has_succeeded: boolean;
  /** True if items are missing, so that another scan is needed to determine whether they were removed. */
  has_missing: boolean;
  open_run: 'queued' | 'in_progress' | null;
}

export interface RepositoryPlan {
  created: FoundRepository[];
  /** Known repositories that are in the list. */
  listed: { id: number; path: string; pushed_at: Date | null; isRenamed: boolean; isBack: boolean }[];
  /** Repositories that are missing from a list for the first time, or for a different reason than before. */
  missed: { id: number; excluded: Exclusion | null; movedPath: string | null }[];
  /**
   * Repositories that now await a person's confirmation, because two lists an hour apart didn't contain them.
   */
  held: number[];
  /** Repositories whose removal is confirmed. */
  removed: number[];
  /** Repositories to scan. `readPush` is the time of the last push that the scan certainly includes. */
  due: { forge_id: string; readPush: Date | null }[];
  /** Repositories without a push since their last scan. They count as scanned without another scan. */
  unchanged: number[];
}

/**
 * Minimum time between the first list that misses a repository and the list that makes it await a
 * confirmation.
 */
const minConfirmationDelayMs = 60 * 60_000;

/**
 * Compares a list with the known repositories. Repositories that an incomplete list doesn't contain aren't
 * considered missing.
 */
export function planRepositories(
  found: readonly FoundRepository[],
  known: readonly KnownRepository[],
  { forge, isComplete, now }: { forge: ForgeKind; isComplete: boolean; now: Date },
): RepositoryPlan {
  const byId = new Map(found.map((repository) => [repository.forge_id, repository]));
  const plan: RepositoryPlan = {
    created: [],
    listed: [],
    missed: [],
    held: [],
    removed: [],
    due: [],
    unchanged: [],
  };
  const knownIds = new Set(known.map(({ forge_id: id }) => id));
  const readPushOf = (pushedAt: Date | null) =>
    pushedAt !== null && isNextPushDetectable(forge, pushedAt, now) ? pushedAt : null;
  for (const repository of byId.values()) {
    if (repository.excluded !== null || knownIds.has(repository.forge_id)) continue;
    plan.created.push(repository);
    plan.due.push({ forge_id: repository.forge_id, readPush: readPushOf(repository.pushed_at) });
  }
  for (const job of known) {
    const repository = byId.get(job.forge_id);
    if (repository === undefined || repository.excluded !== null) {
      if (repository === undefined && !isComplete) continue;
      markMissing(job, repository ?? null);
      continue;
    }
    const { path, pushed_at: pushedAt } = repository;
    const isBack = job.unlisted_since !== null;
    const isRenamed = job.path !== path;
    const isPushed = pushedAt?.getTime() !== job.pushed_at?.getTime();
    if (isBack || isRenamed || isPushed)
      plan.listed.push({ id: job.id, path, pushed_at: pushedAt, isRenamed, isBack });
    // The scan in progress can have begun before the push, so leave the repository to the next list.
    if (job.open_run === 'in_progress') continue;
    const isRead = pushedAt !== null && job.read_push?.getTime() === pushedAt.getTime();
    if (!isRead || isBack || isRenamed || !job.has_succeeded || job.has_missing)
      plan.due.push({ forge_id: job.forge_id, readPush: readPushOf(pushedAt) });
    else if (job.open_run === null) plan.unchanged.push(job.id);
  }
  return plan;

  function markMissing(job: KnownRepository, repository: FoundRepository | null): void {
    if (job.is_removed) return;
    const excluded = repository?.excluded ?? null;
    const movedPath = excluded === 'moved' ? repository!.path : null;
    // A moved repository may be missing from a later list that doesn't show its new path. The repository is
    // then still considered moved.
    const isKnown = job.unlisted_reason === excluded && job.moved_path === movedPath;
    const isStillMoved = job.unlisted_reason === 'moved' && repository === null;
    if (job.unlisted_since === null || !(isKnown || isStillMoved))
      plan.missed.push({ id: job.id, excluded, movedPath });
    // A confirmation that was given before the move was known doesn't cover the move, so another confirmation
    // is required.
    const isNewlyMoved = excluded === 'moved' && job.unlisted_reason !== 'moved';
    if (job.removal === 'confirmed') (isNewlyMoved ? plan.held : plan.removed).push(job.id);
    if (job.removal !== null || job.unlisted_since === null) return;
    if (now.getTime() - job.unlisted_since.getTime() >= minConfirmationDelayMs) plan.held.push(job.id);
  }
}
