import { useParams } from '@tanstack/react-router';
import { SoftwareItem } from '../software/software-item.tsx';

const parent = { to: '/scrape-jobs', title: 'Version trackers' } as const;

/** Page of the software that a version tracker reads, at the tracker's settings. */
export default function ScrapeJobPage() {
  const { id } = useParams({ from: '/shell/scrape-jobs/$id' });
  return <SoftwareItem jobId={Number(id)} parent={parent} section="read-from" />;
}
