import { Anchor, Text } from '@mantine/core';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { isWebAddress } from '../../ui/is-web-address.ts';
import { RelativeTime, useNow } from '../../ui/relative-time.tsx';
import classes from './software-item.module.css';
import {
  describeSelection,
  describeTarget,
  suggestTargets,
  type Target,
  type Targets,
} from './suggest-targets.ts';
import { useReleasesSinceDeployed } from './use-releases-since-deployed.ts';

type Config = Schemas['AlertConfig'];

const dayMs = 86_400_000;

/** Shows the versions to upgrade to: without marked changes, without known vulnerabilities, and the latest. */
export function UpgradeTargets({ config }: { config: Config }) {
  const { notes, between, error } = useReleasesSinceDeployed(config.id);
  const rule = useApi('getRule', { path: { id: config.rule_id } });
  const now = useNow();
  if (config.latest_version === null) return <Muted>No release qualifies, so no target is known.</Muted>;
  if (config.deployed_version === null)
    return <Muted>No deployed version is known. The latest release is {config.latest_version}.</Muted>;
  if (config.deployed_version === config.latest_version)
    return <Muted>{config.latest_version} is deployed. No newer release qualifies.</Muted>;
  return (
    <Loaded query={notes}>
      {() => (
        <Loaded query={rule}>
          {({ min_release_age_days }) => {
            const found = between ?? { releases: notes.data?.releases ?? [], isComplete: false };
            const targets = suggestTargets(found, {
              ignoredVersions: config.ignored_versions,
              hasPattern: config.candidate_pattern !== null,
              newestMs: now - min_release_age_days * dayMs,
            });
            return (
              <TargetList
                config={config}
                targets={targets}
                isComplete={found.isComplete}
                isLoading={between === undefined && error === null}
              />
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

function TargetList({
  config,
  targets: { compatible, limit, keepsMinor, latest },
  isComplete,
  isLoading,
}: {
  config: Config;
  targets: Targets;
  isComplete: boolean;
  isLoading: boolean;
}) {
  const { latest_version, unaffected_version } = config;
  return (
    <ul className={classes.targets}>
      {compatible !== 'same' && latest !== null && (
        <TargetRow
          name={keepsMinor ? 'Same minor version' : 'Same major version'}
          about={describeSelection({ limit, keepsMinor })}
          target={typeof compatible === 'object' ? compatible : null}
        >
          {compatible === null
            ? limit === 'breaking'
              ? 'None: the next release is marked as breaking.'
              : `None: the next release starts a new ${keepsMinor ? 'minor' : 'major'} version.`
            : typeof compatible === 'object'
              ? describeTarget(compatible, true)
              : isLoading
                ? 'Loading…'
                : config.candidate_pattern === null
                  ? 'Unknown: too many releases lie between, so not all notes were read.'
                  : 'Unknown: the version filter of the monitor selects the releases.'}
        </TargetRow>
      )}
      {unaffected_version !== null && unaffected_version !== latest_version && (
        <TargetRow
          name="Without known vulnerabilities"
          about="lowest version"
          target={{ version: unaffected_version, url: null, releasedAt: null }}
        />
      )}
      <TargetRow
        name={nameOfLatest(config)}
        about={compatible === 'same' ? 'without a new major version' : undefined}
        target={{ ...(latest ?? { url: null, releasedAt: null }), version: latest_version ?? '' }}
      >
        {latest === null
          ? 'Pacekeeper knows no releases between it and the deployed version.'
          : describeTarget(latest, isComplete)}
      </TargetRow>
    </ul>
  );
}

/** Returns the label of the newest release. Rules about support compare lines, whose support can be unknown. */
function nameOfLatest({ rule_type, state }: Config): string {
  if (ruleTypes[rule_type].kind !== 'support') return 'Latest';
  return state === 'no_data' ? 'Newest line' : 'Newest supported line';
}

function TargetRow({
  name,
  about,
  target,
  children,
}: {
  name: string;
  about?: string | undefined;
  target: Pick<Target, 'version' | 'url' | 'releasedAt'> | null;
  children?: React.ReactNode;
}) {
  return (
    <li>
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {about !== undefined && (
          <Text size="xs" c="var(--text-muted)">
            {about}
          </Text>
        )}
      </div>
      <div>
        {target !== null && (
          <Text size="sm" component="div">
            {isWebAddress(target.url) ? (
              <Anchor href={target.url} target="_blank" rel="noopener noreferrer" inherit>
                <VersionText version={target.version} />
              </Anchor>
            ) : (
              <VersionText version={target.version} />
            )}
            {target.releasedAt !== null && (
              <Text span inherit c="var(--text-muted)">
                {' '}
                released <RelativeTime at={target.releasedAt} />
              </Text>
            )}
          </Text>
        )}
        {children && (
          <Text size="sm" c="var(--text-muted)">
            {children}
          </Text>
        )}
      </div>
    </li>
  );
}

function Muted({ children }: { children: React.ReactNode }) {
  return (
    <Text size="sm" c="var(--text-muted)">
      {children}
    </Text>
  );
}
