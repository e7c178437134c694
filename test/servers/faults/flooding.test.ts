import { testFaults } from './faultTests.ts';

testFaults('flooding');
