import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { ExplanationText } from '../../components/explanation-text.tsx';
import { LabelList } from '../../components/label-list.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { reasonSentences } from '../../components/state-labels.ts';
import { VersionText } from '../../components/version-text.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SetVersionDialog } from '../scrape-jobs/set-version-form.tsx';
import { behindOf, useRuleTypes } from './fleet-columns.tsx';
import { History } from './history.tsx';

type Config = Schemas['AlertConfig'];

export default function FleetItemPage() {
  const { id } = useParams({ from: '/shell/fleet/$id' });
  const config = useApi('getAlertConfig', { path: { id: Number(id) } });
  return <Loaded query={config}>{(found) => <FleetItem config={found} />}</Loaded>;
}

function FleetItem({ config }: { config: Config }) {
  const behindBy = behindOf(config, useRuleTypes());
  return (
    <>
      <PageHeader
        title={config.name}
        parent={{ to: '/fleet', title: 'Fleet' }}
        about={config.state_reason === null ? undefined : reasonSentences(config.state_reason)}
        actions={<Actions config={config} />}
      />
      <Section title="Status">
        <Facts
          facts={[
            ['State', <ConfigState key="state" config={config} />],
            ['Deployed', <VersionText key="deployed" version={config.deployed_version} none="unknown" />],
            ['Latest', <VersionText key="latest" version={config.latest_version} none="unknown" />],
            ['Latest stable', <VersionText key="stable" version={config.latest_stable_version} />],
            ['Behind', behindBy],
            config.behind_since !== null && [
              'Behind since',
              <RelativeTime key="since" at={config.behind_since} />,
            ],
            config.active_alert_id !== null && [
              'Open alert',
              <TextLink key="alert" {...resourceLink('alert', config.active_alert_id)} inherit>
                {config.severity === null ? 'View alert' : <SeverityMark severity={config.severity} />}
              </TextLink>,
            ],
            config.next_evaluation_at !== null && [
              'Next threshold',
              <RelativeTime key="next" at={config.next_evaluation_at} />,
            ],
          ]}
        />
      </Section>
      <Section title="History">
        <History config={config} behindBy={behindBy} />
      </Section>
      <Section title="Why">
        <ExplanationText alertConfigId={config.id} />
      </Section>
      <Section title="Details">
        <Facts
          facts={[
            ['Version tracker', <Part key="scrape" kind="scrape_job" part={config.scrape_job} />],
            ['Upstream source', <Part key="gather" kind="gather_job" part={config.gather_job} />],
            ['Rule', <Part key="rule" kind="rule" part={config.rule} />],
            [
              'Monitor',
              <Part key="config" kind="alert_config" part={{ id: config.id, name: config.name }} />,
            ],
            [
              'Alert history',
              <TextLink
                key="alerts"
                to="/alerts"
                search={{ view: 'resolved', alert_config_id: String(config.id) }}
                inherit
              >
                View resolved alerts
              </TextLink>,
            ],
            Object.keys(config.labels).length > 0 && [
              'Labels',
              <LabelList key="labels" labels={config.labels} to="/fleet" />,
            ],
          ]}
        />
      </Section>
    </>
  );
}

function Part({
  kind,
  part,
}: {
  kind: 'scrape_job' | 'gather_job' | 'rule' | 'alert_config';
  part: Schemas['NamedReference'];
}) {
  return (
    <TextLink {...resourceLink(kind, part.id)} inherit>
      {part.name}
    </TextLink>
  );
}

/** Looks again now: at what is deployed and, where the gather job is an own one, at what is released. */
function Actions({ config }: { config: Config }) {
  const canWrite = useCan('member');
  const [isSetting, setting] = useDisclosure(false);
  const scrapeJob = useApi('getScrapeJob', { path: { id: config.scrape_job_id } }, { enabled: canWrite });
  const gatherJob = useApi('getGatherJob', { path: { id: config.gather_job_id } }, { enabled: canWrite });
  const scrape = useAction('runScrapeJob', {
    done: 'Version check queued',
  });
  const gather = useAction('runGatherJob', { done: 'Release check queued' });
  if (!canWrite || !scrapeJob.data) return null;
  const isManual = scrapeJob.data.parser_type === 'manual';
  return (
    <>
      {isManual ? (
        <Button onClick={setting.open}>Set version</Button>
      ) : (
        <Button
          variant="default"
          loading={scrape.isPending}
          onClick={() => scrape.mutate({ path: { id: config.scrape_job_id } })}
        >
          Check deployed version
        </Button>
      )}
      {gatherJob.data?.scope === 'organization' && (
        <Button
          variant="default"
          loading={gather.isPending}
          onClick={() => gather.mutate({ path: { id: config.gather_job_id } })}
        >
          Check for releases
        </Button>
      )}
      {isSetting && <SetVersionDialog job={scrapeJob.data} onClose={setting.close} />}
    </>
  );
}
