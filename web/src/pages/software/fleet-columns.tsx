import { useMemo } from 'react';
import { countsDays } from '../../../../src/domain/rules/rule-type.ts';
import { ruleTypes as ruleTypesById } from '../../../../src/domain/rules/rule-types.ts';
import { formatDaysLeft } from '../../../../src/domain/support/format-support.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { formatBehindBy } from '../../components/behind-by.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { NameWithLabels } from '../../components/label-list.tsx';
import { LatestVersion } from '../../components/latest-version.tsx';
import type { Column } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { formatLastDay } from '../../components/support/describe-support.ts';
import { VersionText } from '../../components/version-text.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ElapsedTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type Config = Schemas['AlertConfig'];
type RuleTypes = ReadonlyMap<number, Schemas['MonitoringRuleType']>;

/** Returns how far behind a deployed version is, in the unit of the rule. */
export function formatConfigLag(
  { behind_by, days_left, rule_id, deployed_version, latest_version, state_reason, severity }: Config,
  ruleTypes: RuleTypes,
): string {
  const ruleType = ruleTypes.get(rule_id);
  if (days_left !== null) return formatDaysLeft(days_left);
  const isAboutSupport = ruleType !== undefined && ruleTypesById[ruleType].kind === 'support';
  if (isAboutSupport) return severity !== null ? 'ended' : state_reason === null ? 'no known end' : 'unknown';
  if (behind_by === null) return '—';
  const isAboutFindings = ruleType !== undefined && ruleTypesById[ruleType].kind === 'vulnerabilities';
  if (behind_by === 0 && isAboutFindings)
    return countsDays(ruleTypesById[ruleType]) ? 'no fix missing' : 'none known';
  const isAboutMoves = ruleType !== undefined && ruleTypesById[ruleType].kind === 'release_moves';
  if (behind_by === 0 && isAboutMoves) return 'none noticed';
  // A lag of 0 isn't enough: a rule that counts major versions reports it even if the version is minor
  // versions behind.
  if (behind_by === 0 && deployed_version === latest_version) return 'up to date';
  return ruleType === undefined ? behind_by.toLocaleString('en') : formatBehindBy(behind_by, ruleType);
}

/**
 * Returns the rule types by rule ID, because an alert configuration contains only the ID and name of its
 * rule.
 */
export function useRuleTypes(): RuleTypes {
  const { data } = useApi('listRulesDropdown');
  return useMemo(() => new Map((data ?? []).map(({ id, rule_type }) => [id, rule_type])), [data]);
}

/** Returns the columns that compare the deployed version with the releases. */
export function fleetColumns(ruleTypes: RuleTypes): readonly Column<Config>[] {
  return [
    {
      header: 'Name',
      cell: ({ name, effective_labels }) => <NameWithLabels name={name} labels={effective_labels} />,
      csv: ({ name }) => name,
      sort: 'name',
      width: 'minmax(11rem, 2fr)',
    },
    {
      header: 'Deployed',
      cell: ({ deployed_version }) => <VersionText version={deployed_version} none="unknown" />,
      csv: ({ deployed_version }) => deployed_version,
    },
    {
      header: 'Latest',
      cell: (config) => <LatestVersion config={config} />,
      csv: ({ latest_version }) => latest_version,
    },
    {
      header: 'In your mirror',
      cell: () => null,
      csv: ({ mirror }) => mirror?.version ?? null,
      csvOnly: true,
    },
    {
      header: 'Latest stable',
      cell: ({ latest_stable_version }) => <VersionText version={latest_stable_version} none="none" />,
      csv: ({ latest_stable_version }) => latest_stable_version,
      wideOnly: true,
    },
    {
      header: 'Behind',
      cell: (config) => (
        <TwoLines
          second={
            (config.ends_at !== null &&
              config.days_left !== null &&
              config.days_left > 0 &&
              `until ${formatLastDay(config.ends_at)}`) ||
            (config.unaffected_version !== null && <>upgrade to {config.unaffected_version}</>) ||
            (config.behind_since !== null && config.behind_by !== 0 && (
              <>
                for <ElapsedTime since={config.behind_since} />
              </>
            ))
          }
        >
          {formatConfigLag(config, ruleTypes)}
        </TwoLines>
      ),
      csv: ({ behind_by }) => behind_by,
      width: '8.5rem',
    },
    { header: 'Support ends', cell: () => null, csv: ({ ends_at }) => ends_at, csvOnly: true },
    {
      header: 'Without vulnerabilities',
      cell: () => null,
      csv: ({ unaffected_version }) => unaffected_version,
      csvOnly: true,
    },
    { header: 'Behind since', cell: () => null, csv: ({ behind_since }) => behind_since, csvOnly: true },
    {
      header: 'Severity',
      cell: ({ severity, active_alert_id }) =>
        severity === null ? (
          '—'
        ) : active_alert_id === null ? (
          <SeverityMark severity={severity} />
        ) : (
          <TextLink {...resourceLink('alert', active_alert_id)} inherit>
            <SeverityMark severity={severity} />
          </TextLink>
        ),
      csv: ({ severity }) => severity,
      sort: 'worst',
      width: '5.5rem',
    },
    {
      header: 'State',
      cell: (config) => <ConfigState config={config} isStacked isBesideSeverity />,
      csv: ({ state, state_reason }) => state_reason ?? state,
      width: 'minmax(0, 1.3fr)',
    },
    { header: 'Labels', cell: () => null, csv: ({ effective_labels }) => effective_labels, csvOnly: true },
  ];
}
