/** What one set-up has settled so far: parts that were chosen together, by people, for one comparison. */
export interface SetUpProgress {
  gather_job_id?: string;
  scrape_job_id?: string;
  rule_id?: string;
  /** `no`: no one is notified. */
  notify?: string;
}

const parts = ['gather_job_id', 'scrape_job_id', 'rule_id', 'notify'] as const;

/** In this browser, for a user in an organization: what others left behind belongs to another comparison. */
const keyOf = (userId: number, organizationId: number) => `pacekeeper-set-up-${organizationId}-${userId}`;

export function readProgress(userId: number, organizationId: number): SetUpProgress {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId, organizationId)) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(([part]) => parts.some((known) => known === part)),
    );
  } catch {
    return {};
  }
}

/** @param progress null: the set-up has ended, or another one begins. */
export function keepProgress(userId: number, organizationId: number, progress: SetUpProgress | null): void {
  const key = keyOf(userId, organizationId);
  const kept = Object.fromEntries(
    parts.map((part) => [part, progress?.[part]]).filter(([, id]) => id !== undefined),
  );
  if (Object.keys(kept).length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(kept));
}
