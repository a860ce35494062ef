import { ruleTypeTexts } from '../../../../src/domain/rules/rule-type-texts.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { countOf, formatCount } from '../../ui/format.ts';
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
  const inWords = ({ severity, from }: (typeof steps)[number]) =>
    `${severity} at ${countOf(from, ...ruleTypeTexts[ruleType].unit)}`;
  const text = steps.map(inWords).join(', ');
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
          title={inWords({ severity, from })}
        >
          {formatCount(from)}
        </span>
      ))}
    </div>
  );
}
