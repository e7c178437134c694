import { testFaults } from './faultTests.ts';

testFaults('dying');
