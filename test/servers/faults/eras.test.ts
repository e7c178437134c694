import { testFaults } from './faultTests.ts';

testFaults('eras');
