import { PageHeader } from '../../ui/page-header.tsx';

export default function GatherJobPage() {
  return <PageHeader title="GatherJob" />;
}
