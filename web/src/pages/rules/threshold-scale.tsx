import { formatEndThreshold } from '../../../../src/domain/explanations/support-sentences.ts';
import { formatAmount } from '../../../../src/domain/rules/format-lag.ts';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import { alertSeverities } from '../../../../src/domain/rules/severity.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { severityLabels } from '../../components/severity.tsx';
import { formatCount } from '../../ui/format.ts';
import classes from './threshold-scale.module.css';

/** A step is too narrow for "vulnerabilities", so it shows only their number. The unit is in its title. */
function formatStep(from: number, ruleType: Schemas['MonitoringRuleType']): string {
  return ruleType === 'known_vulnerabilities' ? formatCount(from) : formatAmount(from, ruleType, 'shortUnit');
}

/** Shows the thresholds of a rule as a scale of severities. */
export function ThresholdScale({
  thresholds,
  ruleType,
}: {
  thresholds: Schemas['MonitoringThresholds'];
  ruleType: Schemas['MonitoringRuleType'];
}) {
  const steps = alertSeverities.flatMap((severity) => {
    const from = thresholds[severity];
    return from === undefined || !Number.isFinite(from) ? [] : [{ severity, from }];
  });
  const isAboutSupport = ruleTypes[ruleType].kind === 'support';
  const label = ({ severity, from }: (typeof steps)[number]) =>
    isAboutSupport
      ? `${severity} ${formatEndThreshold(from)}`
      : `${severity} at ${formatAmount(from, ruleType)}`;
  const text = steps.map(label).join(', ');
  return (
    <div className={classes.box}>
      <div className={classes.scale} role="img" aria-label={text === '' ? 'No thresholds set' : text}>
        <span className={classes.step} data-severity="ok">
          {isAboutSupport ? 'before' : '0'}
        </span>
        {steps.map(({ severity, from }) => (
          <span
            key={severity}
            className={classes.step}
            data-severity={severity}
            title={label({ severity, from })}
          >
            {`${formatStep(from, ruleType)} `}
            <span className={classes.name}>{severityLabels[severity]}</span>
          </span>
        ))}
      </div>
    </div>
  );
}
