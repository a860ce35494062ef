import { Button, Code, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { artifactText } from '../../components/artifact-text.ts';
import { Loaded } from '../../components/loaded.tsx';
import { ReleaseMoveText } from '../../components/move-text.tsx';
import { ReleaseMark } from '../../components/release-marks.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { Facts, Section } from '../../ui/facts.tsx';
import { isWebAddress } from '../../ui/is-web-address.ts';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './release-page.module.css';

const parent = { to: '/releases', title: 'Releases' } as const;

export default function ReleasePage() {
  const { id } = useParams({ from: '/shell/releases/$id' });
  const release = useApi('getRelease', { path: { id: Number(id) } });
  return (
    <Loaded query={release} parent={parent}>
      {(found) => <ReleaseDetail release={found} />}
    </Loaded>
  );
}

function ReleaseDetail({ release }: { release: Schemas['ReleaseDetail'] }) {
  const { url, notes } = release;
  return (
    <>
      <PageHeader
        title={release.version}
        about={artifactText(release.artifact_name)}
        parent={parent}
        actions={
          isWebAddress(url) && (
            <Button
              component="a"
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              variant="default"
              rightSection={<IconExternalLink size={15} aria-hidden />}
            >
              View release
            </Button>
          )
        }
      />
      <Section title="Details">
        <Facts
          facts={[
            ['Type', <ReleaseMark key="kind" release={release} />],
            [
              'Released',
              <RelativeTime key="released" at={release.released_at} none="not provided by the source" />,
            ],
            ['First seen', <RelativeTime key="seen" at={release.discovered_at} />],
            ['Tag', release.tag],
            release.digest !== null && ['Digest', <Code key="digest">{release.digest}</Code>],
            release.commit !== null && ['Commit', <Code key="commit">{release.commit}</Code>],
            release.move !== null && ['Changed', <ReleaseMoveText key="move" move={release.move} />],
            release.app_version !== null && ['App version', release.app_version],
            ['Source', sourceTypes[release.source_type].label],
            [
              'Upstream source',
              <TextLink key="job" {...resourceLink('gather_job', release.gather_job_id)} inherit>
                View upstream source
              </TextLink>,
            ],
            [
              'Other releases',
              <TextLink
                key="others"
                to="/releases"
                search={{ gather_job_id: String(release.gather_job_id) }}
                inherit
              >
                View all releases
              </TextLink>,
            ],
          ]}
        />
      </Section>
      <Section title="Release notes">
        {notes === null || notes.trim() === '' ? (
          <Text size="sm" c="var(--text-muted)">
            No release notes from this source.
          </Text>
        ) : (
          // Release notes are external content, so they're shown as plain text.
          <div className={classes.notes}>{notes}</div>
        )}
      </Section>
    </>
  );
}
