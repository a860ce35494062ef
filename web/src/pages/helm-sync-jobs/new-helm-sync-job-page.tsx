import { PageHeader } from '../../ui/page-header.tsx';

export default function NewHelmSyncJobPage() {
  return <PageHeader title="NewHelmSyncJob" />;
}
