import { PageHeader } from '../../ui/page-header.tsx';

export default function HelmSyncJobPage() {
  return <PageHeader title="HelmSyncJob" />;
}
