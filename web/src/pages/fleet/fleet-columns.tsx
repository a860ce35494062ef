import { useMemo } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { formatBehindBy } from '../../components/behind-by.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { NameWithLabels } from '../../components/label-list.tsx';
import type { Column } from '../../components/list/index.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type Config = Schemas['AlertConfig'];
type RuleTypes = ReadonlyMap<number, Schemas['MonitoringRuleType']>;

/** How far behind a thing is, in the unit of its rule. */
export function behindOf(
  { behind_by, rule_id, deployed_version, latest_version }: Config,
  ruleTypes: RuleTypes,
): string {
  const ruleType = ruleTypes.get(rule_id);
  if (behind_by === null) return '—';
  // A rule that counts majors says 0 also of what is minors behind.
  if (behind_by === 0 && deployed_version === latest_version) return 'up to date';
  return ruleType === undefined ? behind_by.toLocaleString('en') : formatBehindBy(behind_by, ruleType);
}

/** What each rule counts: a configuration names its rule only. */
export function useRuleTypes(): RuleTypes {
  const { data } = useApi('listRulesDropdown');
  return useMemo(() => new Map((data ?? []).map(({ id, rule_type }) => [id, rule_type])), [data]);
}

/** What runs beside what exists. */
export function fleetColumns(ruleTypes: RuleTypes): readonly Column<Config>[] {
  return [
    {
      header: 'Name',
      cell: ({ name, labels }) => <NameWithLabels name={name} labels={labels} />,
      csv: ({ name }) => name,
      sort: 'name',
      width: 'minmax(0, 2fr)',
    },
    {
      header: 'Deployed',
      cell: ({ deployed_version }) => <VersionText version={deployed_version} none="unknown" />,
      csv: ({ deployed_version }) => deployed_version,
    },
    {
      header: 'Latest',
      cell: ({ latest_version }) => <VersionText version={latest_version} none="unknown" />,
      csv: ({ latest_version }) => latest_version,
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
            config.behind_since !== null &&
            config.behind_by !== 0 && (
              <>
                since <RelativeTime at={config.behind_since} />
              </>
            )
          }
        >
          {behindOf(config, ruleTypes)}
        </TwoLines>
      ),
      csv: ({ behind_by }) => behind_by,
      width: '8.5rem',
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
      width: '6.5rem',
    },
    {
      header: 'State',
      cell: (config) => <ConfigState config={config} />,
      csv: ({ state, state_reason }) => state_reason ?? state,
      width: 'minmax(0, 1.3fr)',
    },
    { header: 'Labels', cell: () => null, csv: ({ labels }) => labels, csvOnly: true },
  ];
}
