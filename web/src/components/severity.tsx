import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';

type Severity = Schemas['AlertSeverity'];
const words: Record<Severity, string> = { moderate: 'Moderate', high: 'High', critical: 'Critical' };

export function SeverityMark({ severity }: { severity: Severity }) {
  return <Mark tone={severity}>{words[severity]}</Mark>;
}

export const severityOptions = (Object.keys(words) as Severity[]).map((value) => ({
  value,
  label: words[value],
}));
