import { PageHeader } from '../../ui/page-header.tsx';

export default function HelmSyncJobsPage() {
  return <PageHeader title="HelmSyncJobs" />;
}
