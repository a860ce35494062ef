import { PageHeader } from '../../ui/page-header.tsx';

export default function ScrapeJobsPage() {
  return <PageHeader title="ScrapeJobs" />;
}
