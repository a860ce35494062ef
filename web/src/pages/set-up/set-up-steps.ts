/** How far a set-up has come: what each of its steps has made or chosen. */
export interface SetUp {
  gatherJobId: number | null;
  scrapeJobId: number | null;
  ruleId: number | null;
  /** Whether it is settled who hears of it, be it nobody. */
  hasChannel: boolean;
  alertConfigId: number | null;
}

export const steps = ['upstream', 'deployed', 'rule', 'channel', 'start'] as const;
export type Step = (typeof steps)[number];

export function isDone(step: Step, setUp: SetUp): boolean {
  switch (step) {
    case 'upstream':
      return setUp.gatherJobId !== null;
    case 'deployed':
      return setUp.scrapeJobId !== null;
    case 'rule':
      return setUp.ruleId !== null;
    case 'channel':
      return setUp.hasChannel;
    case 'start':
      return setUp.alertConfigId !== null;
  }
}

/**
 * The step that is open: the one that somebody went back to, else the first that is not done. Null: all are.
 * @param wanted as it stands in the address.
 */
export function openStep(setUp: SetUp, wanted: string | undefined): Step | null {
  if (setUp.alertConfigId !== null) return null;
  return steps.find((step) => step === wanted) ?? steps.find((step) => !isDone(step, setUp)) ?? null;
}
