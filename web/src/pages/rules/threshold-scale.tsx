import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatCount } from '../../ui/format.ts';
import { ruleTypes } from './rule-type-words.ts';
import classes from './threshold-scale.module.css';

const severities = ['moderate', 'high', 'critical'] as const;

/** The thresholds of a rule, drawn: from where on an alert has which severity. */
export function ThresholdScale({
  thresholds,
  ruleType,
}: {
  thresholds: Schemas['MonitoringThresholds'];
  ruleType: Schemas['MonitoringRuleType'];
}) {
  const steps = severities.flatMap((severity) => {
    const from = thresholds[severity];
    return from === undefined || !Number.isFinite(from) ? [] : [{ severity, from }];
  });
  const { unit } = ruleTypes[ruleType];
  const text = steps.map(({ severity, from }) => `${severity} at ${formatCount(from)} ${unit}`).join(', ');
  return (
    <div className={classes.scale} role="img" aria-label={text === '' ? 'No thresholds set' : text}>
      <span className={classes.step} data-severity="ok">
        0
      </span>
      {steps.map(({ severity, from }) => (
        <span
          key={severity}
          className={classes.step}
          data-severity={severity}
          title={`${severity} at ${formatCount(from)} ${unit}`}
        >
          {formatCount(from)}
        </span>
      ))}
    </div>
  );
}
