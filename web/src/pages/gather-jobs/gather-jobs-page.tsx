import { PageHeader } from '../../ui/page-header.tsx';

export default function GatherJobsPage() {
  return <PageHeader title="GatherJobs" />;
}
