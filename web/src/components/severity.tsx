import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';

type Severity = Schemas['AlertSeverity'];
export const severityLabels: Record<Severity, string> = {
  moderate: 'Moderate',
  high: 'High',
  critical: 'Critical',
};

export function SeverityMark({ severity }: { severity: Severity }) {
  return <Mark tone={severity}>{severityLabels[severity]}</Mark>;
}

export const severityOptions = (Object.keys(severityLabels) as Severity[]).map((value) => ({
  value,
  label: severityLabels[value],
}));
